import type { Plugin } from "rolldown";

/** Reports whether the plugin replaces this module; the bundler must then not treat it as external. */
export function isLazyBuiltIn(specifier: string): boolean;

/** The plugin for rolldown. */
export function lazyBuiltIns(): Plugin;
