/** Every mistake of the tables gets an answer that names the field and the fix and fits on one screen. */
import { describe, expect, it } from "vitest";
import { client } from "./client.ts";
import { commandLine } from "./command-line.ts";
import { crd } from "./crd.ts";
import { declaration } from "./declaration.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { answerTo, onTerminal } from "./mistake.ts";
import { webhooks } from "./webhooks.ts";

const groups = { declaration, client, kubeconfig, "command-line": commandLine, crd, webhooks };

it("lists at least eighty mistakes, each once", () => {
  const titles = Object.entries(groups).flatMap(([group, mistakes]) => mistakes.map(({ title }) => `${group}: ${title}`));
  expect(titles.length).toBeGreaterThanOrEqual(80);
  expect(new Set(titles).size).toBe(titles.length);
});

describe.each(Object.entries(groups))("mistakes with %s", (group, mistakes) => {
  const answers: string[] = [];

  it.each(mistakes)("are answered on one screen: $title", async (mistake) => {
    const text = await answerTo(mistake);
    const screen = onTerminal(text);
    answers.push(`## ${mistake.title}\n\n\`\`\`text\n${screen.join("\n")}\n\`\`\`\n`);
    for (const word of mistake.says) expect(text).toContain(word);
    expect(screen.length).toBeLessThanOrEqual(24);
  });

  it("are answered in the words of the recorded page", async ({ skip }) => {
    // A run of single tests has no complete page.
    if (answers.length < mistakes.length) skip();
    await expect(answers.join("\n")).toMatchFileSnapshot(`answers/${group}.md`);
  });
});
