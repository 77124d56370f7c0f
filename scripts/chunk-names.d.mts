/** The part of a chunk of the bundler that is used. */
export interface PlannedChunk {
  readonly fileName: string;
  readonly name: string;
  readonly isDynamicEntry: boolean;
  readonly moduleIds: readonly string[];
  readonly imports: readonly string[];
  readonly code: string;
}

export interface ChunkNamesOptions {
  readonly doors: readonly string[];
  readonly rare: readonly string[];
  readonly isApart: (id: string) => boolean;
}

/** Returns the name of a module's chunk; null to leave it to the bundler. */
export function chunkNames(chunks: readonly PlannedChunk[], options: ChunkNamesOptions): (id: string) => string | null;

/** The chunks that are loaded with the given one. */
export function loadedWith(chunks: readonly PlannedChunk[], first: string): readonly PlannedChunk[];
