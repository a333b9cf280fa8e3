#![no_main]

#[allow(dead_code)] // its `main`
mod solution {
    include!(concat!(env!("OUT_DIR"), "/boj_2615_omok.rs"));
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    stones_fuzz::agree("boj_2615_omok", solution::solve, input, false);
});
