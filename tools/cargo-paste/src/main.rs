//! dev
use std::time::Instant;
use cargo_paste::*;
fn main() -> anyhow::Result<()> {
    let name = std::env::args().nth(1).unwrap();
    let t = Instant::now();
    let ws = resolve::Workspace::load(None)?;
    eprintln!("metadata {:?}", t.elapsed());
    let program = ws.resolve(&name)?;
    eprintln!("check {:?}", t.elapsed());
    let compiler = rustc::Compiler::current()?;
    let bundle = inline::inline(&program, &compiler.cfgs()?, &Default::default())?;
    eprintln!("inline {:?} {}", t.elapsed(), bundle.text.len());
    std::fs::write("/tmp/t/bundle.rs", &bundle.text)?;
    let nodes = nodes::Nodes::new(&bundle.text, bundle.solution_end)?;
    eprintln!("nodes {:?} {}", t.elapsed(), nodes.list.len());
    let bench = rustc::Bench::new(&program.target_dir)?;
    let e = rustc::Edition::E2021;
    let full = bench.compile(&compiler, e, rustc::Emit::FunctionsAndLines, &bundle.text)?;
    if !full.success { for d in full.errors() { eprintln!("{}", d.rendered.as_deref().unwrap_or("")); } anyhow::bail!("no"); }
    let reference = verify::functions(&full.output);
    let live = shake::live_lines(&full.output);
    eprintln!("reference {:?} {} functions {} lines", t.elapsed(), reference.len(), live.len());
    let mut shaken = shake::Shaken::new(&bundle.text, &nodes);
    let mut ask = |text: &str| {
        let o = bench.compile(&compiler, e, rustc::Emit::Unused, text)?;
        eprintln!("  {} {:?} {} {} errors", bench.calls(), t.elapsed(), text.len(), o.errors().count());
        if std::env::var("V").is_ok() { for d in o.errors() { eprintln!("{}", d.rendered.as_deref().unwrap_or("")); } }
        Ok(o)
    };
    shake::by_lints(&mut shaken, &mut ask, shake::Budget { calls: 40 })?;
    std::fs::write("/tmp/t/lints.rs", shaken.render().text)?;
    shake::by_errors(&mut shaken, &live, &mut ask, shake::Budget { calls: 60 })?;
    let text = shaken.render().text;
    std::fs::write("/tmp/t/errors.rs", &text)?;
    let after = bench.compile(&compiler, e, rustc::Emit::Functions, &format!("#![allow(warnings)]\n{text}"))?;
    let after = verify::functions(&after.output);
    eprintln!("same {} {:?}", after == reference, t.elapsed());
    for f in reference.difference(&after) { eprintln!("- {f}"); }
    for f in after.difference(&reference) { eprintln!("+ {f}"); }
    Ok(())
}
