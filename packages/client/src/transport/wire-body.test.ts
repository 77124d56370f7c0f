import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WireBody } from "./wire-body.ts";

function scene(): { readonly wire: WireBody; readonly seen: string[]; readonly isFlowing: () => boolean; readonly listen: () => void } {
  const seen: string[] = [];
  let isFlowing = true;
  const wire = new WireBody({ pause: () => (isFlowing = false), resume: () => (isFlowing = true), destroy: () => seen.push("destroyed") });
  wire.on("end", () => seen.push("end"));
  wire.on("error", (error) => seen.push(String(error)));
  wire.on("close", () => seen.push("close"));
  return { wire, seen, isFlowing: () => isFlowing, listen: () => void wire.on("data", (bytes) => seen.push(String(bytes[0]))) };
}

const byte = (value: number): Uint8Array => Uint8Array.of(value);

describe("WireBody", () => {
  it("passes bytes on as they come, then the end", () => {
    const { wire, seen, listen } = scene();
    listen();
    wire.push(byte(1));
    wire.push(byte(2));
    wire.end();
    expect(seen).toEqual(["1", "2", "end", "close"]);
  });

  it("keeps what comes before its reader, stops the connection, and starts it again", () => {
    const { wire, seen, isFlowing, listen } = scene();
    wire.push(byte(1));
    expect({ seen, flows: isFlowing() }).toEqual({ seen: [], flows: false });
    listen();
    expect({ seen, flows: isFlowing() }).toEqual({ seen: ["1"], flows: true });
  });

  it("reports an end or a failure only after the bytes before it", () => {
    for (const [finish, last] of [
      [(wire: WireBody) => wire.end(), ["end", "close"]],
      [(wire: WireBody) => wire.fail("reset"), ["reset", "close"]],
      [(wire: WireBody) => wire.fail(undefined), ["close"]],
    ] as const) {
      const { wire, seen, listen } = scene();
      wire.push(byte(1));
      finish(wire);
      expect(seen).toEqual([]);
      listen();
      expect(seen).toEqual(["1", ...last]);
    }
  });

  it("reports a failure without bytes before it at once", () => {
    const { wire, seen } = scene();
    wire.fail("reset");
    expect(seen).toEqual(["reset", "close"]);
  });

  it("passes nothing on after it was destroyed", () => {
    const { wire, seen, listen } = scene();
    wire.push(byte(1));
    wire.destroy();
    listen();
    wire.push(byte(2));
    wire.end();
    expect(seen).toEqual(["destroyed"]);
  });

  it("passes every byte on once and in order, whenever its reader pauses", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("push", "pause", "resume", "listen"), { maxLength: 40 }), (steps) => {
        const { wire, seen, listen } = scene();
        let pushed = 0;
        let isListening = false;
        for (const step of steps) {
          if (step === "push") wire.push(byte(pushed++));
          else if (step === "pause") wire.pause();
          else if (step === "resume") wire.resume();
          else if (!isListening) {
            isListening = true;
            listen();
          }
        }
        wire.end();
        if (!isListening) listen();
        wire.resume();
        expect(seen).toEqual([...Array.from({ length: pushed }, (_, index) => String(index)), "end", "close"]);
      }),
    );
  });
});
