//! A network for a child, with nothing in it but a loopback interface: only the child's own programs listen there.
//!
//! The child keeps the namespaces that this needs for its whole life. It gets them before the walls are closed; after
//! that, no code inside can change them.

use std::io;

/// The maps of a new user namespace, in which the child keeps its user and group. They are formatted in advance, because
/// nothing can be allocated between fork and exec.
pub(crate) struct Identity {
    users: Vec<u8>,
    groups: Vec<u8>,
}

impl Identity {
    pub fn new() -> Identity {
        // SAFETY: plain system calls.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Identity { users: format!("{user} {user} 1\n").into(), groups: format!("{group} {group} 1\n").into() }
    }

    /// In the child, which has just got the namespace: keeps its user and group.
    pub fn keep(&self) -> io::Result<()> {
        write(c"/proc/self/uid_map", &self.users)?;
        write(c"/proc/self/setgroups", b"deny")?;
        write(c"/proc/self/gid_map", &self.groups)
    }
}

pub(crate) struct Loopback(Identity);

impl Loopback {
    pub fn new() -> Loopback {
        Loopback(Identity::new())
    }

    /// In the child: enters a network of its own.
    pub fn enter(&self) -> io::Result<()> {
        // SAFETY: plain system calls.
        if unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET) } == -1 {
            return Err(io::Error::last_os_error());
        }
        self.0.keep()?;
        // Otherwise, ports below 1024 need a capability. If the setting cannot be changed, they keep needing it.
        let _ = write(c"/proc/sys/net/ipv4/ip_unprivileged_port_start", b"0");
        raise_interface()
    }
}

fn write(file: &std::ffi::CStr, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: the name ends with a zero, and the kernel reads as many bytes as there are.
    unsafe {
        let descriptor = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if descriptor == -1 {
            return Err(io::Error::last_os_error());
        }
        let written = libc::write(descriptor, bytes.as_ptr().cast(), bytes.len());
        let error = io::Error::last_os_error();
        libc::close(descriptor);
        if written == bytes.len() as isize { Ok(()) } else { Err(error) }
    }
}

fn raise_interface() -> io::Result<()> {
    // SAFETY: zeros are a valid request; the kernel reads one structure that lives here.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        if socket == -1 {
            return Err(io::Error::last_os_error());
        }
        let mut request: libc::ifreq = std::mem::zeroed();
        for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
            *to = *from as libc::c_char;
        }
        request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
        let raised = libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &raw const request);
        let error = io::Error::last_os_error();
        libc::close(socket);
        if raised == -1 { Err(error) } else { Ok(()) }
    }
}
