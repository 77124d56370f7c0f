export interface CodeCache {
  readonly read: (text: string) => Buffer | undefined;
  readonly write: (text: string, data: Buffer) => void;
}

export interface CodeCacheOptions {
  readonly folder?: string;
  readonly uid?: number;
}

export function openCodeCache(options?: CodeCacheOptions): CodeCache;
