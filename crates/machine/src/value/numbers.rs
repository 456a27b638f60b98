//! Integers of any size on the heap.

use super::heap::{BYTES_PER_TICK, Heap};
use super::word::{Kind, TAG_BOXED, Word};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;
use term::work;

impl Heap {
    #[inline]
    pub fn integer(&mut self, value: i64) -> Word {
        match Word::try_small(value) {
            Some(small) => small,
            None => self.limbs(value < 0, &[value.unsigned_abs()]),
        }
    }

    pub fn integer_u64(&mut self, value: u64) -> Word {
        match i64::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => self.limbs(false, &[value]),
        }
    }

    pub fn integer_i128(&mut self, value: i128) -> Word {
        match i64::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => {
                let magnitude = value.unsigned_abs();
                let (low, high) = (magnitude as u64, (magnitude >> 64) as u64);
                let limbs = [low, high];
                self.limbs(value < 0, &limbs[..if high == 0 { 1 } else { 2 }])
            }
        }
    }

    pub fn big(&mut self, value: &BigInt) -> Word {
        if let Some(value) = value.to_i64() {
            return self.integer(value);
        }
        let digits = value.iter_u64_digits();
        work::ticks(digits.len() * 8 / BYTES_PER_TICK);
        let pointer = self.allocate_boxed(Kind::Big, u8::from(value.sign() == Sign::Minus), digits.len());
        for (index, digit) in digits.enumerate() {
            // SAFETY: as many words as digits were allocated.
            unsafe { *pointer.add(1 + index) = digit };
        }
        Word::from_pointer(pointer, TAG_BOXED)
    }

    fn limbs(&mut self, negative: bool, limbs: &[u64]) -> Word {
        let pointer = self.allocate_boxed(Kind::Big, u8::from(negative), limbs.len());
        // SAFETY: as many words as limbs were allocated.
        unsafe { std::ptr::copy_nonoverlapping(limbs.as_ptr(), pointer.add(1), limbs.len()) };
        Word::from_pointer(pointer, TAG_BOXED)
    }
}

impl Word {
    /// Returns whether a big integer is negative, and its limbs.
    pub fn as_limbs(&self) -> Option<(bool, &[u64])> {
        self.is_kind(Kind::Big).then(|| (self.header().aux() == 1, self.raw_payload()))
    }

    /// Returns the integer if it fits into 128 bits with its sign.
    pub fn as_i128(self) -> Option<i128> {
        if let Some(small) = self.as_small() {
            return Some(i128::from(small));
        }
        let (negative, limbs) = self.as_limbs()?;
        let magnitude = match limbs {
            [low] => u128::from(*low),
            [low, high] => u128::from(*high) << 64 | u128::from(*low),
            _ => return None,
        };
        let magnitude = i128::try_from(magnitude).ok()?;
        Some(if negative { -magnitude } else { magnitude })
    }

    pub fn as_i64(self) -> Option<i64> {
        self.as_small().or_else(|| self.as_i128().and_then(|value| i64::try_from(value).ok()))
    }

    pub fn as_usize(self) -> Option<usize> {
        self.as_i64().and_then(|value| usize::try_from(value).ok())
    }

    pub fn as_bigint(self) -> Option<BigInt> {
        if let Some(small) = self.as_small() {
            return Some(BigInt::from(small));
        }
        let (negative, limbs) = self.as_limbs()?;
        let digits = limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]).collect();
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Some(BigInt::from_biguint(sign, BigUint::new(digits)))
    }
}
