/** A mistake that an author can make, and the text that the author then sees. */
import { errorText } from "@drover/machinery";

export interface Mistake {
  /** What the author did, as a noun: "an option of another library". */
  readonly title: string;
  /** Makes the mistake. Throws, rejects or returns what the author sees. */
  readonly act: () => unknown;
  /** Words that the answer must have: the field, and the fix. */
  readonly says: readonly string[];
}

/** Returns what the author sees. Throws if the mistake goes unnoticed. */
export async function answerTo({ title, act }: Mistake): Promise<string> {
  let seen: unknown;
  try {
    seen = await act();
  } catch (error) {
    seen = errorText(error);
  }
  if (typeof seen === "string" && seen !== "") return seen.replaceAll(process.cwd(), "/project");
  throw new Error(`nothing was said about ${title}`);
}

/** Returns the text as a terminal of 80 columns shows it. */
export function onTerminal(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > 80) {
      const space = rest.lastIndexOf(" ", 80);
      const end = space > 20 ? space : 80;
      lines.push(rest.slice(0, end));
      rest = `  ${rest.slice(end).trimStart()}`;
    }
    return [...lines, rest];
  });
}
