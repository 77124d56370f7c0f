/** Durations as people type and read them. */

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** "90s", "10m", "2h" or "1h30m" in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount = "", unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) totalMs += Number(amount) * (units[unit] ?? 0);
  return totalMs;
}

/** 600000 → "10 min", 1500 → "1.5 s". */
export function durationText(ms: number): string {
  if (ms >= 2 * 3_600_000) return `${rounded(ms / 3_600_000)} h`;
  if (ms >= 2 * 60_000) return `${rounded(ms / 60_000)} min`;
  return ms >= 1000 ? `${rounded(ms / 1000)} s` : `${Math.round(ms)} ms`;
}

const rounded = (value: number): string => String(Number(value.toFixed(value >= 100 ? 0 : 1)));

/** 1234567 → "1,234,567". */
export function countText(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}
