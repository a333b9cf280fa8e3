#![no_main]

#[allow(dead_code)] // its `main`
mod solution {
    include!(concat!(env!("OUT_DIR"), "/jutge_p18992_othello_n.rs"));
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // A board with a side of 100 or more prints so much that it is slow, and shows nothing that a small one does not.
    let side = input.iter().skip_while(|byte| !byte.is_ascii_digit());
    if side.take_while(|byte| byte.is_ascii_digit()).count() > 2 {
        return;
    }
    stones_fuzz::agree("jutge_p18992_othello_n", solution::solve, input, true);
});
