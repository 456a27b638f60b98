//! The pages of `--html` in a real browser, from files, as a user opens them.

mod driver;

use driver::{Browser, ENTER, TAB};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn pages_can_be_read_clicked_and_typed_through_in_light_and_dark() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let _ = std::fs::remove_dir_all(&folder);
    let pages = folder.join("site");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_beagle"))
        .args(["test", "-q", "--max-runs", "200", "--html"])
        .args([pages.clone(), here.join("../../examples/shipping.erl"), here.join("tests/programs/marked_up.erl")])
        .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .output()
        .expect("beagle can be started");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let Some(browser) = Browser::start(&folder.join("profile")) else {
        // Past the harness, which shows nothing of tests that pass.
        let _ = writeln!(
            std::io::stderr(),
            "\n***** SKIPPED: no chromedriver is installed, the pages were not opened (see scripts/setup) *****\n"
        );
        return;
    };
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        from_the_index_to_a_run(&browser, &pages);
        colours_can_be_read(&browser, scheme);
    }
    with_the_keyboard_alone(&browser, &pages);
    names_are_only_text(&browser, &pages);
}

fn from_the_index_to_a_run(browser: &Browser, pages: &Path) {
    browser.open(&pages.join("index.html"));
    assert_eq!(browser.text("document.title"), "Report – Beagle");
    let headings = browser.text("[...document.querySelectorAll('h2')].map(h => h.innerText).join()");
    assert_eq!(headings, "Findings,Modules", "findings come first");
    let found = browser.text("document.querySelector('main').innerText");
    assert!(found.contains("shipping:cost/3 raises error function_clause"), "{found}");
    assert!(found.contains("confirmed on the BEAM"), "{found}");
    assert_eq!(browser.value("performance.getEntriesByType('resource').length"), 0, "nothing comes from elsewhere");

    browser.click("a[href='modules/shipping.html']");
    assert_eq!(browser.text("document.querySelector('h1').innerText"), "Module shipping");
    let line = browser.text("document.querySelector('#L12 code').innerText");
    assert_eq!(line, "base(Grams, home) when Grams =< 5000 -> 899;");
    assert_eq!(browser.value("document.querySelector('#L12 li').checkVisibility()"), false);
    browser.click("#L12 summary");
    assert_eq!(browser.value("document.querySelector('#L12 li').checkVisibility()"), true);
    let ways = browser.text("document.querySelector('#L12 ul').innerText");
    assert!(ways.contains("covered Grams =< 5000") && ways.contains("covered Grams > 5000"), "{ways}");

    browser.click("th a[href='../functions/shipping.cost-3.html']");
    let page = browser.text("document.querySelector('main').innerText");
    assert!(page.contains("shipping:cost(30000, home, none)."), "{page}");
    assert!(page.contains("all paths explored"), "{page}");
    // The top of the tree is open, and what lies below opens step by step.
    let step = ".tree > li > details > ul > li > details";
    let inside = format!("document.querySelector('{step} > ul > li').checkVisibility()");
    assert_eq!(browser.value(&inside), false);
    browser.click(&format!("{step} > summary > .count"));
    assert_eq!(browser.value(&inside), true);
    let opened = browser.text(&format!("document.querySelector('{step}').innerText"));
    assert!(opened.contains("Zone =:= home") && opened.contains("Grams =< 1000"), "{opened}");

    browser.click("nav a[href='../index.html']");
    assert_eq!(browser.text("document.title"), "Report – Beagle");
}

/// All texts stand out from what is behind them, by the measure of WCAG's level AA.
fn colours_can_be_read(browser: &Browser, scheme: &str) {
    let contrasts = "(() => {
        const light = (c) => {
            const [r, g, b] = c.match(/[0-9.]+/g).map(Number).map(v => v / 255)
                .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const back = light(getComputedStyle(document.body).backgroundColor);
        const texts = [...document.querySelectorAll('h1, p, a, td, span, caption')];
        return texts.map(t => light(getComputedStyle(t).color))
            .map(l => (Math.max(l, back) + 0.05) / (Math.min(l, back) + 0.05)).concat([back]);
    })()";
    let measured = browser.value(contrasts);
    let measured: Vec<f64> =
        measured.as_array().expect("numbers").iter().filter_map(|number| number.as_f64()).collect();
    let (back, contrasts) = measured.split_last().expect("a background");
    assert_eq!(*back < 0.5, scheme == "dark", "{scheme}: {back}");
    let least = contrasts.iter().copied().fold(f64::MAX, f64::min);
    assert!(contrasts.len() > 10 && least >= 4.5, "{scheme}: {least}");
}

fn with_the_keyboard_alone(browser: &Browser, pages: &Path) {
    browser.open(&pages.join("index.html"));
    browser.press(TAB);
    assert_eq!(browser.text("document.activeElement.innerText"), "Skip to the content");
    let focus = |wanted: &str| {
        for _ in 0..200 {
            if browser.value(&format!("document.activeElement.matches(\"{wanted}\")")) == true {
                return;
            }
            browser.press(TAB);
        }
        panic!("{wanted} cannot be reached with the keyboard");
    };
    focus("a[href='modules/shipping.html']");
    assert_ne!(browser.text("getComputedStyle(document.activeElement).outlineStyle"), "none", "the focus can be seen");
    browser.press(ENTER);
    assert_eq!(browser.text("document.querySelector('h1').innerText"), "Module shipping");
    focus("th a[href='../functions/shipping.cost-3.html']");
    browser.press(ENTER);
    assert_eq!(browser.text("document.querySelector('h1').innerText"), "shipping:cost/3");
    focus(".tree > li > details > summary");
    assert_eq!(browser.value("document.querySelector('.tree details').open"), true);
    browser.press(ENTER);
    assert_eq!(browser.value("document.querySelector('.tree details').open"), false);
    browser.press(ENTER);
    focus(".tree details details > summary");
    browser.press(ENTER);
    assert_eq!(browser.value("document.activeElement.parentElement.open"), true);
}

fn names_are_only_text(browser: &Browser, pages: &Path) {
    let mut files: Vec<PathBuf> = vec![pages.join("index.html"), pages.join("modules/marked_up.html")];
    let functions = std::fs::read_dir(pages.join("functions")).expect("a folder");
    files.extend(functions.filter_map(|entry| Some(entry.ok()?.path())));
    assert_eq!(files.len(), 5);
    for file in files {
        browser.open(&file);
        assert_eq!(browser.value("document.querySelectorAll('script, img, svg, b').length"), 0, "{}", file.display());
        assert_eq!(browser.value("window.hacked === undefined"), true, "{}", file.display());
        assert_eq!(browser.text("document.compatMode"), "CSS1Compat");
    }
    browser.open(&pages.join("modules/marked_up.html"));
    let source = browser.text("document.querySelector('#L1').innerText");
    assert!(source.contains("<script>window.hacked = 1</script>"), "{source}");
}
