/**
 * A token bucket. Its balance may be negative: a caller that takes a future token learns how long to wait for it.
 */

export interface TokenBucket {
  /** Tokens per second. */
  readonly qps: number;
  /** Maximum tokens. */
  readonly burst: number;
  /** May be negative. */
  readonly tokens: number;
  readonly atMs: number;
}

/** Returns a full bucket. */
export function fullBucket(qps: number, burst: number, atMs: number): TokenBucket {
  if (!(qps > 0 && qps < Infinity) || !(burst >= 1))
    throw new RangeError(`qps must be above 0 and burst at least 1, not ${qps} and ${burst}`);
  return { qps, burst, tokens: burst, atMs };
}

/** Takes a token at `nowMs`; it may be used after `waitMs`. */
export function takeToken(bucket: TokenBucket, nowMs: number): readonly [waitMs: number, next: TokenBucket] {
  const filled = Math.min(bucket.burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * bucket.qps);
  const tokens = filled - 1;
  return [tokens >= 0 ? 0 : (-tokens / bucket.qps) * 1000, { ...bucket, tokens, atMs: nowMs }];
}

/** Returns an unused token. */
export function returnToken(bucket: TokenBucket): TokenBucket {
  return { ...bucket, tokens: Math.min(bucket.burst, bucket.tokens + 1) };
}
