"""The Boltzmann page works with a real server and a real browser."""

from browsing import eventually, ready, run_id
from playwright.sync_api import expect
from test_accessible import check_page

PAGE = "/rbm?data=patterns&seconds=1&epochs=200"
COLOURED = """() => {
  const canvas = document.querySelector(".pv-scene canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) {
    const shades = data.slice(i, i + 3);
    if (data[i + 3] && Math.max(...shades) - Math.min(...shades) > 60) found++;
  }
  return found;
}"""


def test_page_runs_and_switches_from_p_to_k1(open_page):
    page = ready(open_page(PAGE, plotly=True))
    expect(page.locator("h1")).to_have_text("Boltzmann machine of 100 examples of four patterns")
    expect(page.locator(".pv-sentence")).to_contain_text("First descent: ")
    expect(page.locator(".pv-metric-best dt")).to_have_text("Best −log-likelihood")
    expect(page.locator(".pv-cards")).to_contain_text("p = 0.1")
    assert page.evaluate(COLOURED) > 500
    check_page(page, "rbm")
    work = page.get_by_label("Work on the axis")
    expect(work.get_by_role("option")).to_have_text(["by CPU time", "by epochs"])
    work.select_option("by epochs")
    expect(page.locator(".pv-plot .xtitle")).to_contain_text("epochs")
    first = run_id(page)
    page.locator("[class*='-by-unit']").get_by_role("radio", name="k₁").click()
    eventually(lambda: run_id(page) not in (first, None))
    ready(page)
    expect(page.locator(".pv-cards")).to_contain_text("k₁ = 10")
