import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPullPolicy, imageTag } from "./image-tag.ts";

const digest = `sha256:${"a".repeat(64)}`;

describe("imageTag", () => {
  it.each([
    ["nginx", "latest"],
    ["nginx:1.2", "1.2"],
    ["a/b", "latest"],
    ["registry.example.com:5000/a/b", "latest"],
    ["localhost/x:1", "1"],
    ["[::1]:5000/x", "latest"],
    ["Upper/b", "latest"],
    ["foo_bar.com/x", "latest"],
    ["docker.io/x", "latest"],
    ["index.docker.io/x:2", "2"],
    [`nginx:1@${digest}`, "1"],
  ])("returns the tag of %s: %s", (image, tag) => expect(imageTag(image)).toBe(tag));

  it.each([
    "",
    "Upper",
    "x:",
    ":1",
    "a//b",
    "a b",
    "-a",
    "a/-b",
    "a___b",
    `x@sha256:${"a".repeat(63)}`,
    `x@sha256:${"A".repeat(64)}`,
    `x@md5:${"a".repeat(32)}`,
    "a:b/c",
    "a.b:x/c",
    "-a.b/c",
    "f".repeat(64),
    `x:${"t".repeat(129)}`,
    "p".repeat(248),
    `nginx@${digest}`,
  ])("returns undefined for %s", (image) => expect(imageTag(image)).toBeUndefined());

  it("allows repositories of 255 bytes, including the implied registry", () => {
    expect(imageTag("p".repeat(255 - "library/".length))).toBe("latest");
    expect(imageTag(`docker.io/${"p".repeat(248)}`)).toBeUndefined();
    expect(imageTag(`example.com/${"p".repeat(255)}`)).toBe("latest");
    expect(imageTag(`example.com/${"p".repeat(256)}`)).toBeUndefined();
  });

  it("runs in linear time", () => {
    for (const image of ["a".repeat(1e6), `${"a-".repeat(5e5)}/b`, `${"a.".repeat(5e5)}/b`, "a_".repeat(5e5), `${"-".repeat(1e6)}.b/c`])
      expect(() => imageTag(image)).not.toThrow();
  });

  it("returns the text after the colon, whatever the path", () => {
    const path = fc.stringMatching(/^[a-z0-9]{1,5}([._-][a-z0-9]{1,5})?(\/[a-z0-9]{1,5}){0,3}$/);
    const tag = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/);
    fc.assert(
      fc.property(path, tag, (name, wanted) => {
        expect(imageTag(`${name}:${wanted}`)).toBe(wanted);
      }),
    );
  });
});

describe("defaultPullPolicy", () => {
  it("is Always for the tag latest, otherwise IfNotPresent", () => {
    expect([defaultPullPolicy("a"), defaultPullPolicy(`a:latest@${digest}`)]).toEqual(["Always", "Always"]);
    expect([defaultPullPolicy("a:1"), defaultPullPolicy(`a@${digest}`), defaultPullPolicy("A"), defaultPullPolicy(undefined)]).toEqual(
      Array.from({ length: 4 }, () => "IfNotPresent"),
    );
  });
});
