/** Returns the compiler's outputs below `outDir`, relative to it, for which `rootDir` has no source. */
export function staleOutputs(outDir: string, rootDir: string): string[];
