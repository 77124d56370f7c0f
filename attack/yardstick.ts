/**
 * How slow the processor is at the moment. Limits of time are set for the machine on which a measure takes `quietMs`; on a slower one, or
 * while other programs or machines use it, they are longer by the same factor.
 */

/** The measure on the machine of the limits when nothing else runs. */
const quietMs = 11;

/** Returns how many times longer than on the machine of the limits a computation takes now; at least 1. */
export function slowness(): number {
  // The best of three: what an attack left running is not the machine.
  return Math.max(1, Math.min(...Array.from({ length: 3 }, measureMs)) / quietMs);
}

/** Parses, copies and counts, as a server does. */
function measureMs(): number {
  const began = performance.now();
  let checksum = 0;
  for (let round = 0; round < 30; round++) {
    const parsed = JSON.parse(sample) as Readonly<Record<string, string>>;
    for (const key in parsed) checksum = (checksum * 31 + (parsed[key]?.length ?? 0)) | 0;
  }
  if (checksum === 0) throw new Error("the measure measured nothing");
  return performance.now() - began;
}

const sample = JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`key-${n}`, "x".repeat(n % 100)])));
