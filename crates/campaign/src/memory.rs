//! Limits the memory of the whole command. Besides the heap of its runs, a search keeps paths, formulas and queries,
//! and several searches share the computer. Every allocation is counted for the thread that makes it. When all workers
//! together exceed their limit, a worker that has at least its share ends its unit, with a verdict that says so.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The system's allocator, with a count for each thread.
pub struct Counting;

thread_local! {
    /// Bytes that the thread has allocated and not freed. Freeing memory of another thread decreases it.
    static OWN: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    // A thread that is ending has no count any more.
    let _ = OWN.try_with(|own| own.set(own.get().wrapping_add(bytes)));
}

// SAFETY: all arguments are passed unchanged to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller keeps to the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller keeps to the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller keeps to the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The memory that all workers together may allocate.
pub struct Pool {
    bytes: i64,
    /// The bytes that each worker had allocated when it last reported.
    workers: Vec<AtomicI64>,
}

impl Pool {
    /// Makes a pool out of `total`, the bytes for everything. The heaps of the runs, of which every worker has one, are
    /// subtracted as a whole.
    pub fn new(total: u64, workers: usize, heap: usize) -> Arc<Pool> {
        let heaps = (heap as u64).saturating_mul(workers as u64);
        let bytes = total.saturating_sub(heaps).max(total / 4);
        Arc::new(Pool {
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            workers: (0..workers).map(|_| AtomicI64::new(0)).collect(),
        })
    }

    /// Returns the share of a worker. Counts the memory that the current thread allocates from now on.
    pub fn share(self: &Arc<Pool>, worker: usize) -> Share {
        Share { pool: Arc::clone(self), worker, before: OWN.get() }
    }
}

/// One worker's share of a pool.
#[derive(Clone)]
pub struct Share {
    pool: Arc<Pool>,
    worker: usize,
    /// The bytes that the thread had allocated before its share began.
    before: i64,
}

impl Share {
    /// Returns whether this worker has to give up its unit: all workers together exceed the pool, and this one has at
    /// least its part of what they use. May only be called on the thread that the share belongs to.
    pub fn is_used_up(&self) -> bool {
        let own = OWN.get().wrapping_sub(self.before).max(0);
        let Some(usage) = self.pool.workers.get(self.worker) else { return false };
        usage.store(own, Ordering::Relaxed);
        let all: i64 = self.pool.workers.iter().map(|worker| worker.load(Ordering::Relaxed)).sum();
        all > self.pool.bytes && own >= all / self.pool.workers.len() as i64
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if let Some(usage) = self.pool.workers.get(self.worker) {
            usage.store(0, Ordering::Relaxed);
        }
    }
}

/// Returns the default limit for a command in bytes: three quarters of the memory of this computer, or of the control
/// group of this process if that has less.
pub fn usual_total() -> u64 {
    let read = |file: &str| String::from_utf8(files::read_system(Path::new(file)).ok()?).ok();
    let computer = read("/proc/meminfo").and_then(|text| memory_total(&text));
    let number = |text: String| text.trim().parse::<u64>().ok();
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let group = group.into_iter().find_map(|file| read(file).and_then(number));
    let available = [computer, group].into_iter().flatten().min();
    available.map_or(u64::MAX, |bytes| bytes / 4 * 3)
}

/// Returns the number of bytes that a line like `MemTotal:       24052912 kB` states.
fn memory_total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;

    #[test]
    fn whoever_has_most_gives_way() {
        let pool = Pool::new(1 << 20, 2, 0);
        let share = pool.share(0);
        pool.workers[1].store(3 << 18, Ordering::Relaxed);
        assert!(!share.is_used_up());
        let half = vec![1u8; 3 << 17];
        assert!(!share.is_used_up(), "the other has more");
        let more = vec![1u8; 1 << 20];
        assert!(share.is_used_up());
        drop((half, more));
        assert!(!share.is_used_up());
    }

    #[test]
    fn the_memory_of_the_computer_is_read() {
        assert_eq!(memory_total("MemTotal:       24052912 kB\nMemFree: 1 kB\n"), Some(24_052_912 << 10));
        assert_eq!(memory_total("nothing"), None);
    }
}
