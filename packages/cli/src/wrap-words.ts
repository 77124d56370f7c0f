/** Wraps messages for terminals. */

/** Columns of a usual terminal, less the "drover: " in front of a message. */
const columns = 72;

/** Breaks the text at spaces into lines of at most 72 characters; longer words stay whole. */
export function wrapWords(text: string): string {
  const wrapped: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      wrapped.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...wrapped, line].join("\n");
}
