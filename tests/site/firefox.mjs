// Visit pages in Firefox: a JSON list of {url, act, until, result} on stdin, a JSON list of
// {result, errors} on stdout. puppeteer-core drives it, by WebDriver BiDi.
import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

const visits = JSON.parse(readFileSync(0, "utf-8"));
const executablePath = process.argv[2];
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
const answers = [];
for (const { url, act, until, result } of visits) {
  const errors = [];
  const page = await browser.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(url, { waitUntil: "load", timeout: 120_000 });
  await page.evaluate(act);
  await page.waitForFunction(until, { timeout: 120_000, polling: 200 });
  answers.push({ result: await page.evaluate(result), errors });
  await page.close();
}
await browser.close();
console.log(JSON.stringify(answers));
