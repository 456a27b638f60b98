//! Memory that is reserved as a whole and touched as it is used: it grows without moving, so that pointers into it
//! remain valid, and costs only as much as was touched.

use memmap2::{MmapMut, MmapOptions};

pub struct Region<T: Copy> {
    map: MmapMut,
    capacity: usize,
    element: std::marker::PhantomData<T>,
}

impl<T: Copy> Region<T> {
    /// Reserves room for `capacity` elements. This fails only if the address space is exhausted.
    pub fn reserve(capacity: usize) -> std::io::Result<Region<T>> {
        Region::reserve_with(capacity, 0)
    }

    /// Reserves room for `capacity` elements and `reserve` more after them, for code that writes before it checks.
    pub fn reserve_with(capacity: usize, reserve: usize) -> std::io::Result<Region<T>> {
        let bytes = ((capacity + reserve) * size_of::<T>()).max(4096);
        let map = MmapOptions::new().len(bytes).no_reserve_swap().map_anon()?;
        Ok(Region { map, capacity, element: std::marker::PhantomData })
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns a pointer to the first element. It is valid as long as the region lives.
    #[inline]
    pub fn start(&self) -> *mut T {
        self.map.as_ptr().cast_mut().cast()
    }

    /// Gives the memory of all elements back to the system; they read as zero afterwards.
    pub fn release(&mut self) {
        // SAFETY: the contents are plain data and are not read before they are written again. Failure only means that
        // the memory remains allocated.
        #[cfg(unix)]
        let _ = unsafe { self.map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
}
