/**
 * A plugin for the bundler. One character beyond Latin-1, and Node takes a file's every character for two bytes: it is
 * read more slowly at every start, and takes twice the memory as long as the program runs. So they are written as
 * escapes, which mean the same in texts, patterns and names.
 */
export function asciiCode() {
  return {
    name: "ascii-code",
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") chunk.code = asciiOf(chunk.code, chunk.fileName);
    },
  };
}

function asciiOf(code, fileName) {
  if (/\bString\.raw\s*`[^`]*[^\0-\x7f]/.test(code))
    throw new Error(`${fileName}: a raw text has a character that is not ASCII; an escape would be another text there`);
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
