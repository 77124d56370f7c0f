/**
 * A plugin for the bundler that writes characters beyond Latin-1 as escapes. A single such character makes Node store
 * every character of the file in two bytes: the file loads more slowly at every start and takes twice the memory.
 * Escapes mean the same in strings, patterns and names.
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
