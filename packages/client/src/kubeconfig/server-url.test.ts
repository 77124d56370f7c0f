import { describe, expect, it } from "vitest";
import { serverProblem, serverUrl } from "./server-url.ts";

describe("the server of a cluster", () => {
  it.each([
    ["https://h:6443", "https://h:6443"],
    ["https://h/", "https://h"],
    ["https://h/k8s/clusters/c-1/", "https://h/k8s/clusters/c-1"],
    ["https://h/a?b=c#d", "https://h/a"],
    ["localhost:8080", "http://localhost:8080"],
    ["https://[fd00::1]:6443", "https://[fd00::1]:6443"],
    ["HTTPS://H", "https://h"],
  ])("%s is %s", (server, url) => {
    expect(serverProblem(server)).toBeUndefined();
    expect(serverUrl(server)).toBe(url);
  });

  it.each([
    ["ftp://h", 'server "ftp://h" is not a URL; write https://host:port'],
    ["https://", 'server "https://" is not a URL; write https://host:port'],
    ["host/path", 'server "host/path" has a path but no scheme; write https:// before it'],
    ["https://me:canary@h", "server contains a user name; remove it, and set username and password of the user"],
    ["https://me:canary@", "server is not a URL; write https://host:port"],
  ])("%s is rejected", (server, problem) => {
    expect(serverProblem(server)).toBe(problem);
  });
});
