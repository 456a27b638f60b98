//! Drops all privileges of a child that it may have from the user who started Beagle. As root, the child would
//! otherwise keep them inside the sandbox.

use std::io;

/// `_LINUX_CAPABILITY_VERSION_3`, whose sets have two words.
const VERSION: u32 = 0x2008_0522;

#[repr(C)]
struct Header {
    version: u32,
    process: libc::c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Sets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// In the child: drops all capabilities permanently, including those that a program would get when root executes it.
pub(crate) fn drop_all() -> io::Result<()> {
    let mut capability: libc::c_ulong = 0;
    // SAFETY: plain system calls, of which the last reads two structures that live here.
    unsafe {
        // This fails for users other than root. It is not needed for them, because no program gains new privileges
        // there.
        while libc::prctl(libc::PR_CAPBSET_READ, capability, 0, 0, 0) != -1 {
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0);
            capability += 1;
        }
        let ambient = libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        let header = Header { version: VERSION, process: 0 };
        let none = [Sets { effective: 0, permitted: 0, inheritable: 0 }; 2];
        match ambient == -1 || libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()) == -1 {
            true => Err(io::Error::last_os_error()),
            false => Ok(()),
        }
    }
}
