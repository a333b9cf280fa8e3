#![no_main]

#[allow(dead_code)] // its `main`
mod solution {
    include!(concat!(env!("OUT_DIR"), "/boj_32115_stone_ring.rs"));
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    stones_fuzz::agree("boj_32115_stone_ring", solution::solve, input, false);
});
