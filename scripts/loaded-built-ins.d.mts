/** Names of the modules of Node that an import loads, without the internal ones. */
export function loadedBuiltIns(specifier: string, options: { readonly cwd: string; readonly node?: string }): readonly string[];
