import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPullPolicy, imageTag } from "./image-tag.ts";

const digest = `sha256:${"a".repeat(64)}`;

describe("the tag of an image", () => {
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
  ])("of %s is %s", (image, tag) => expect(imageTag(image)).toBe(tag));

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
  ])("is none for %s", (image) => expect(imageTag(image)).toBeUndefined());

  it("allows paths of 255 bytes, the part that goes without saying included", () => {
    expect(imageTag("p".repeat(255 - "library/".length))).toBe("latest");
    expect(imageTag(`docker.io/${"p".repeat(248)}`)).toBeUndefined();
    expect(imageTag(`example.com/${"p".repeat(255)}`)).toBe("latest");
    expect(imageTag(`example.com/${"p".repeat(256)}`)).toBeUndefined();
  });

  it("is found in time that grows with the name and no faster", () => {
    for (const image of ["a".repeat(1e6), `${"a-".repeat(5e5)}/b`, `${"a.".repeat(5e5)}/b`, "a_".repeat(5e5), `${"-".repeat(1e6)}.b/c`])
      expect(() => imageTag(image)).not.toThrow();
  });

  it("is what stands behind the colon, whatever the path", () => {
    const path = fc.stringMatching(/^[a-z0-9]{1,5}([._-][a-z0-9]{1,5})?(\/[a-z0-9]{1,5}){0,3}$/);
    const tag = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/);
    fc.assert(
      fc.property(path, tag, (name, wanted) => {
        expect(imageTag(`${name}:${wanted}`)).toBe(wanted);
      }),
    );
  });
});

describe("how an image is pulled", () => {
  it("is always when its tag is latest, and only once otherwise", () => {
    expect([defaultPullPolicy("a"), defaultPullPolicy(`a:latest@${digest}`)]).toEqual(["Always", "Always"]);
    expect([defaultPullPolicy("a:1"), defaultPullPolicy(`a@${digest}`), defaultPullPolicy("A"), defaultPullPolicy(undefined)]).toEqual(
      Array.from({ length: 4 }, () => "IfNotPresent"),
    );
  });
});
