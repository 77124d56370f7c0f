/** The majors that Drover is tested on. */
export const nodeMajors: readonly string[];
/** The registry's name for this platform's Node. */
export function nodePackageName(): string;
/** The folder that `npm run test:node` installs a major into. */
export function nodeFolder(major: string): string;
/** The package of Node in a folder where npm installed it. */
export function nodePackage(folder: string): string;
/** The program in a package or another folder of a Node release. */
export function nodeProgram(folder: string): string;
