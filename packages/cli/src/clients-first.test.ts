import { describe, expect, it } from "vitest";
import { clientsFirst } from "./clients-first.ts";

function scene(): { readonly giveWay: () => boolean; now: number; heard: number } {
  const state = { now: 1000, heard: -Infinity, giveWay: (): boolean => false };
  state.giveWay = clientsFirst({ clock: { monotonic: () => state.now }, heardMs: () => state.heard });
  return state;
}

describe("clientsFirst", () => {
  it("does not wait when no client has come", () => {
    expect(scene().giveWay()).toBe(false);
  });

  it("waits for a client until it has been silent for 30 ms", () => {
    const state = scene();
    state.heard = 1000;
    state.now = 1029;
    expect(state.giveWay()).toBe(true);
    state.now = 1030;
    expect(state.giveWay()).toBe(false);
    state.heard = 1030;
    expect(state.giveWay()).toBe(true);
  });

  it("does not let clients that never fall silent delay the cluster by more than 300 ms", () => {
    const state = scene();
    state.heard = state.now = 1299;
    expect(state.giveWay()).toBe(true);
    state.heard = state.now = 1300;
    expect(state.giveWay()).toBe(false);
  });
});
