import { describe, expect, it } from "vitest";
import { withTlsSettings } from "./tls-settings.ts";
import type { TlsSettings, TlsSource } from "./tls-settings.ts";
import { TransportError } from "./transport-error.ts";

const distrust = new TransportError("its certificate is signed by an authority we do not trust", { reason: "tls", sent: "no" });
const settings = (generation: number): TlsSettings => ({ generation, insecure: false });
const source =
  (newest: number, asked: (number | undefined)[] = []): TlsSource =>
  ({ refused } = {}) => {
    asked.push(refused?.generation);
    return Promise.resolve(settings(refused === undefined ? 1 : newest));
  };
/** Succeeds with this generation only. */
const trusting =
  (generation: number, tried: number[] = []) =>
  (given: TlsSettings): Promise<string> => {
    tried.push(given.generation);
    return given.generation === generation ? Promise.resolve("connected") : Promise.reject(distrust);
  };

describe("withTlsSettings", () => {
  it("T2: retries once if the handshake fails for lack of trust and the settings have changed (§9.37)", async () => {
    const tried: number[] = [];
    expect(await withTlsSettings(source(2), undefined, trusting(2, tried))).toBe("connected");
    expect(tried).toEqual([1, 2]);
    await expect(withTlsSettings(source(2), undefined, trusting(3))).rejects.toBe(distrust);
  });

  it("does not retry with the same settings, after another failure, or after success", async () => {
    const tried: number[] = [];
    await expect(withTlsSettings(source(1), undefined, trusting(2, tried))).rejects.toBe(distrust);
    expect(tried).toEqual([1]);
    const asked: (number | undefined)[] = [];
    const refused = new TransportError("refused", { reason: "refused", sent: "no" });
    await expect(withTlsSettings(source(2, asked), undefined, () => Promise.reject(refused))).rejects.toBe(refused);
    expect(await withTlsSettings(source(2, asked), undefined, trusting(1))).toBe("connected");
    expect(asked).toEqual([undefined, undefined]);
  });

  it.each([false, true])("can be aborted while waiting for settings, also for the second time: %s", async (second) => {
    const controller = new AbortController();
    const waits: TlsSource = ({ refused } = {}) =>
      second && refused === undefined ? Promise.resolve(settings(1)) : new Promise(() => undefined);
    const outcome = withTlsSettings(waits, controller.signal, trusting(2));
    await Promise.resolve();
    controller.abort(new Error("enough"));
    await expect(outcome).rejects.toThrow("enough");
  });
});
