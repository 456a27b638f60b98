//! `beagle test`.

use crate::arguments::TestOptions;

pub fn test(_options: &TestOptions) -> anyhow::Result<u8> {
    anyhow::bail!("under construction")
}
