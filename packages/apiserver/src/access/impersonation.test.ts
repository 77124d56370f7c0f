import type { HttpHeaders } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { alwaysAllow } from "./always-allow.ts";
import type { Attributes, Authorizer } from "./authorizer.ts";
import { impersonatedUser } from "./impersonation.ts";
import type { User } from "./user.ts";

const alice: User = { name: "alice", groups: ["dev"] };
const request: Attributes = {
  user: alice,
  verb: "get",
  isResourceRequest: true,
  path: "",
  group: "",
  version: "v1",
  resource: "namespaces",
  subresource: "",
  namespace: "default",
  name: "default",
};

/** An authorizer that allows these verbs, and the questions it was asked. */
function allowing(...verbs: readonly string[]): { readonly authorizer: Pick<Authorizer, "authorize">; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    authorizer: {
      authorize: ({ verb, group, resource, subresource, namespace, name }) => {
        asked.push(
          `${verb} ${resource}${group === "" ? "" : `.${group}`}${subresource === "" ? "" : `/${subresource}`} ${namespace === "" ? "" : `${namespace}/`}${name}`,
        );
        return Promise.resolve({ decision: verbs.includes(verb) ? "allow" : "no-opinion" });
      },
    },
  };
}

const as = (
  headers: HttpHeaders,
  authorizer: Pick<Authorizer, "authorize"> = alwaysAllow,
  attributes: Attributes = request,
): Promise<User | undefined> => impersonatedUser(headers, attributes, authorizer).then((found) => found?.user);

describe("impersonatedUser", () => {
  it("returns undefined without impersonation headers", async () => {
    const { authorizer, asked } = allowing();
    expect(await as({}, authorizer)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("returns the wanted user with its implied groups", async () => {
    expect(await as({ "impersonate-user": "bob" })).toEqual({ name: "bob", groups: ["system:authenticated"] });
    expect(
      await as({ "impersonate-user": "bob", "impersonate-group": "dev", "impersonate-uid": "9", "impersonate-extra-acme.io%2fk": "v" }),
    ).toEqual({
      name: "bob",
      uid: "9",
      groups: ["dev", "system:authenticated"],
      extra: { "acme.io/k": ["v"] },
    });
    expect(await as({ "impersonate-user": "bob", "impersonate-group": "system:unauthenticated" })).toEqual({
      name: "bob",
      groups: ["system:unauthenticated"],
    });
    expect(await as({ "impersonate-user": "system:anonymous" })).toEqual({ name: "system:anonymous", groups: ["system:unauthenticated"] });
    expect(await as({ "impersonate-user": "system:serviceaccount:a:b" })).toEqual({
      name: "system:serviceaccount:a:b",
      groups: ["system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"],
    });
    expect(await as({ "impersonate-user": "system:serviceaccount:a:b", "impersonate-group": "g" })).toEqual({
      name: "system:serviceaccount:a:b",
      groups: ["g", "system:authenticated"],
    });
    expect(await as({ "impersonate-user": "system:node:n1" })).toEqual({
      name: "system:node:n1",
      groups: ["system:nodes", "system:authenticated"],
    });
  });

  // All texts were recorded from a real server.
  it("refuses with the 403 of the first applicable mode (X8)", async () => {
    const { authorizer } = allowing();
    await expect(as({ "impersonate-user": "bob" }, authorizer)).rejects.toThrow(
      'namespaces "default" is forbidden: User "alice" cannot impersonate-on:user-info:get resource "namespaces" in API group "" in the namespace "default"',
    );
    await expect(as({ "impersonate-user": "system:serviceaccount:a:b" }, authorizer)).rejects.toThrow(
      'namespaces "default" is forbidden: User "alice" cannot impersonate-on:serviceaccount:get resource "namespaces"',
    );
    await expect(as({ "impersonate-user": "system:node:n1" }, authorizer)).rejects.toThrow(
      "cannot impersonate-on:arbitrary-node:get resource",
    );
    await expect(as({ "impersonate-user": "system:serviceaccount:a:b", "impersonate-group": "dev" }, authorizer)).rejects.toThrow(
      'serviceaccounts "b" is forbidden: User "alice" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "a"',
    );
    await expect(
      as({ "impersonate-user": "bob" }, authorizer, {
        ...request,
        isResourceRequest: false,
        path: "/version",
        resource: "",
        namespace: "",
        name: "",
      }),
    ).rejects.toThrow('forbidden: User "alice" cannot impersonate-on:user-info:get path "/version"');
  });

  it("asks about each wanted value, in the constrained modes first and the legacy mode last", async () => {
    const { authorizer, asked } = allowing("impersonate-on:user-info:get", "impersonate");
    const headers = {
      "impersonate-user": "bob",
      "impersonate-group": ["g1", "g2"],
      "impersonate-uid": "9",
      "impersonate-extra-acme.io%2fk": ["v", "w"],
    };
    expect((await as(headers, authorizer))?.name).toBe("bob");
    expect(asked).toEqual([
      "impersonate-on:user-info:get namespaces default/default",
      "impersonate:user-info users.authentication.k8s.io bob",
      "impersonate users bob",
      "impersonate uids.authentication.k8s.io 9",
      "impersonate groups g1",
      "impersonate groups g2",
      "impersonate userextras.authentication.k8s.io/acme.io/k v",
      "impersonate userextras.authentication.k8s.io/acme.io/k w",
    ]);
  });

  it("asks about all values at once when there are many", async () => {
    const { authorizer, asked } = allowing("impersonate-on:user-info:get", "impersonate:user-info");
    await as({ "impersonate-user": "bob", "impersonate-group": ["a", "b", "c", "d"] }, authorizer);
    expect(asked.slice(2)).toEqual(["impersonate:user-info groups.authentication.k8s.io *"]);
  });

  it("tries the next mode when one denies", async () => {
    const { authorizer } = allowing("impersonate-on:arbitrary-node:get", "impersonate:arbitrary-node");
    const account: User = { name: "system:serviceaccount:a:b", groups: [], extra: { "authentication.kubernetes.io/node-name": ["n1"] } };
    expect(await as({ "impersonate-user": "system:node:n1" }, authorizer, { ...request, user: account })).toEqual({
      name: "system:node:n1",
      groups: ["system:nodes", "system:authenticated"],
    });
  });

  it("lets a service account impersonate its own node without naming the node to the authorizer", async () => {
    const { authorizer, asked } = allowing("impersonate-on:associated-node:get", "impersonate:associated-node");
    const account: User = { name: "system:serviceaccount:a:b", groups: [], extra: { "authentication.kubernetes.io/node-name": ["n1"] } };
    await as({ "impersonate-user": "system:node:n1" }, authorizer, { ...request, user: account });
    expect(asked).toEqual([
      "impersonate-on:associated-node:get namespaces default/default",
      "impersonate:associated-node nodes.authentication.k8s.io *",
    ]);
    await expect(as({ "impersonate-user": "system:node:n2" }, authorizer, { ...request, user: account })).rejects.toThrow("arbitrary-node");
  });

  it("refuses system:masters and malformed extra in the constrained modes", async () => {
    const narrow = allowing("impersonate-on:user-info:get", "impersonate:user-info").authorizer;
    await expect(as({ "impersonate-user": "bob", "impersonate-group": "system:masters" }, narrow)).rejects.toThrow(
      'groups.authentication.k8s.io "system:masters" is forbidden: User "alice" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
    );
    await expect(as({ "impersonate-user": "bob", "impersonate-group": "" }, narrow)).rejects.toThrow(
      "impersonating the empty string group is not allowed",
    );
    await expect(as({ "impersonate-user": "bob", "impersonate-extra-k": "v" }, narrow)).rejects.toThrow(
      'impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "k": must be a domain-prefixed path',
    );
    await expect(as({ "impersonate-user": "bob", "impersonate-extra-acme.io%2fk": "" }, narrow)).rejects.toThrow(
      "impersonating the empty string value in extra is not allowed",
    );
  });

  it("reports the evaluation error and the reason of a denial", async () => {
    const authorizer: Pick<Authorizer, "authorize"> = {
      authorize: () => Promise.resolve({ decision: "deny", reason: "no rule", evaluationError: "role not found" }),
    };
    await expect(as({ "impersonate-user": "bob" }, authorizer)).rejects.toThrow(/: role not found: no rule$/);
  });

  it("rethrows the failure of an authorizer", async () => {
    const broken = new Error("store is gone");
    await expect(as({ "impersonate-user": "bob" }, { authorize: () => Promise.reject(broken) })).rejects.toBe(broken);
  });
});
