//! MD5 (RFC 1321), with a state that programs hold as a binary of 88 bytes: the four words, the number of bits, and the
//! incomplete block.

pub struct Md5 {
    words: [u32; 4],
    bits: u64,
    block: [u8; 64],
}

impl Default for Md5 {
    fn default() -> Md5 {
        Md5 { words: [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476], bits: 0, block: [0; 64] }
    }
}

impl Md5 {
    pub fn of_bytes(bytes: &[u8]) -> Option<Md5> {
        let (words, rest) = bytes.split_at_checked(16)?;
        let (bits, block) = rest.split_at_checked(8)?;
        let mut state =
            Md5 { words: [0; 4], bits: u64::from_le_bytes(bits.try_into().ok()?), block: block.try_into().ok()? };
        for (word, bytes) in state.words.iter_mut().zip(words.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().ok()?);
        }
        Some(state)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(self.bits.to_le_bytes());
        bytes.extend(self.block);
        bytes
    }

    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let filled = (self.bits / 8 % 64) as usize;
            let (now, later) = bytes.split_at(bytes.len().min(64 - filled));
            self.block[filled..filled + now.len()].copy_from_slice(now);
            self.bits = self.bits.wrapping_add(now.len() as u64 * 8);
            if filled + now.len() == 64 {
                self.transform();
            }
            bytes = later;
        }
    }

    pub fn finish(mut self) -> [u8; 16] {
        let bits = self.bits;
        self.update(&[0x80]);
        while self.bits / 8 % 64 != 56 {
            self.update(&[0]);
        }
        self.update(&bits.to_le_bytes());
        let mut result = [0; 16];
        for (bytes, word) in result.chunks_exact_mut(4).zip(self.words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        result
    }

    fn transform(&mut self) {
        const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
        let mut input = [0; 16];
        for (word, bytes) in input.iter_mut().zip(self.block.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let [mut a, mut b, mut c, mut d] = self.words;
        for step in 0..64 {
            let (mixed, index) = match step / 16 {
                0 => (b & c | !b & d, step),
                1 => (b & d | c & !d, (5 * step + 1) % 16),
                2 => (b ^ c ^ d, (3 * step + 5) % 16),
                _ => (c ^ (b | !d), 7 * step % 16),
            };
            let sum = a.wrapping_add(mixed).wrapping_add(input[index]).wrapping_add(SINES[step]);
            (a, d, c) = (d, c, b);
            b = b.wrapping_add(sum.rotate_left(ROTATIONS[step / 16][step % 4]));
        }
        for (word, new) in self.words.iter_mut().zip([a, b, c, d]) {
            *word = word.wrapping_add(new);
        }
    }
}

/// The integer parts of 2^32 · |sin(i)|, for i from 1 on in radians.
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];
