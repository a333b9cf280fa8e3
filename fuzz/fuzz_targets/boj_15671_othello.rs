#![no_main]

#[allow(dead_code)] // its `main`
mod solution {
    include!(concat!(env!("OUT_DIR"), "/boj_15671_othello.rs"));
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    stones_fuzz::agree("boj_15671_othello", solution::solve, input, false);
});
