/** Malicious input, or input of a confused program: refused quickly, in the real server's words, and without consequences. */
import { textAt, valueAt } from "../exchange.ts";
import { configMap, define, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const message = {
  view: (body: Parameters<typeof valueAt>[0]["body"]) => [valueAt({ body }, "reason") ?? null, valueAt({ body }, "message") ?? null],
};

export const hostile: Chapter = {
  name: "hostile",
  probes: [
    probe("P245 a body of more than three megabytes", async (s) => {
      await s.post(s.in("configmaps"), `{"metadata":{"name":"a"},"data":{"k":"${"x".repeat(3_200_000)}"}}`);
      await s.get(s.in("configmaps"), { view: (body) => valueAt({ body }, "items") ?? null });
    }),
    probe("P246 very deep JSON", async (s) => {
      await s.post(s.in("configmaps"), `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`, {
        view: (body) => valueAt({ body }, "reason") ?? null,
      });
      await s.post(s.in("configmaps"), `{"metadata":{"name":"a"},"data":${"[".repeat(11_000)}${"]".repeat(11_000)}}`, {
        view: (body) => valueAt({ body }, "reason") ?? null,
      });
      await s.get(s.in("configmaps"), { view: (body) => valueAt({ body }, "items") ?? null });
    }),
    probe("P247 names that try to leave their place", async (s) => {
      for (const name of ["..%2fsecrets", "%2e%2e", "a%2fb", "a%00b", "%", "a%zz", "%20", "A", "a".repeat(300)])
        await s.get(`${s.in("configmaps")}/${name}`, {
          view: (body) => [
            valueAt({ body }, "reason") ?? null,
            valueAt({ body }, "message") ?? null,
            typeof body === "string" ? body : null,
          ],
        });
      await s.post(s.in("configmaps"), configMap(".."));
      await s.post(s.in("configmaps"), configMap("a/b"));
    }),
    probe("P248 numbers at the edge of what 64 bits hold", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      const free = (text: string): string =>
        `{"apiVersion":"${s.group}/v1","kind":"Widget","metadata":{"name":"n"},"spec":{"free":{"n":${text}}}}`;
      for (const text of [
        "9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "12345678901234567890",
        "1.0",
        "1e3",
        "-0",
        "1.50",
        "1e21",
        "0.1",
        "1e400",
      ])
        await s.post(`${widgets}?dryRun=All`, free(text), {
          raw: true,
          view: (body) => /"free":\{"n":([^}]*)\}/.exec(textAt({ body }))?.[1] ?? body,
        });
      await s.post(s.in("apps/v1/deployments"), '{"metadata":{"name":"d"},"spec":{"replicas":1.0}}', message);
      await s.post(s.in("apps/v1/deployments"), '{"metadata":{"name":"d"},"spec":{"replicas":1e0}}', message);
      await s.post(s.in("apps/v1/deployments"), '{"metadata":{"name":"d"},"spec":{"replicas":4294967296}}', message);
    }),
    probe("P249 text that is not UTF-8, or has odd characters", async (s) => {
      await s.post(
        s.in("configmaps"),
        new Uint8Array([...Buffer.from('{"metadata":{"name":"a"},"data":{"k":"'), 0xff, 0xfe, ...Buffer.from('"}}')]),
        { view: (body) => valueAt({ body }, "data") ?? valueAt({ body }, "message") ?? null },
      );
      await s.post(s.in("configmaps"), '{"metadata":{"name":"b"},"data":{"k":"\\ud800 \\u0000 \\u2028 <&>"}}', {
        raw: true,
        view: (body) => /"data":(\{[^}]*\})/.exec(textAt({ body }))?.[1] ?? body,
      });
      await s.post(s.in("configmaps"), '\ufeff{"metadata":{"name":"c"}}', { view: (body) => valueAt({ body }, "reason") ?? null });
      await s.post(s.in("configmaps"), '{"metadata":{"name":"d"},"data":{"k":"\t"}}', {
        view: (body) => valueAt({ body }, "reason") ?? null,
      });
    }),
    probe("P250 YAML that grows, and YAML that is not data", async (s) => {
      const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
        .split("")
        .map((key, index) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${"abcdefghij"[index]}`).join(",")}]`)
        .join("\n")}\n`;
      const yaml = { headers: { "content-type": "application/yaml" } };
      await s.post(s.in("configmaps"), bomb, { ...yaml, view: (body) => valueAt({ body }, "reason") ?? null });
      await s.post(s.in("configmaps"), "!!python/object/apply:os.system [ls]\n", {
        ...yaml,
        view: (body) => valueAt({ body }, "reason") ?? null,
      });
      await s.post(s.in("configmaps"), "metadata: {name: x}\ndata: {k: .inf}\n", {
        ...yaml,
        view: (body) => valueAt({ body }, "reason") ?? null,
      });
    }),
    probe("P251 keys that pollute prototypes do nothing to the next request", async (s) => {
      await s.patch("merge", s.in("configmaps", "none"), '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}');
      await s.post(s.in("configmaps"), '{"metadata":{"name":"a"},"__proto__":{"data":{"k":"v"}}}');
      await s.patch("json", s.in("configmaps", "a"), [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
      await s.patch("json", s.in("configmaps", "a"), [{ op: "add", path: "/constructor/prototype/polluted", value: true }]);
      await s.patch("strategic", s.in("configmaps", "a"), '{"__proto__":{"polluted":"yes"},"data":{"__proto__":"x"}}');
      await s.get(s.in("configmaps", "a"));
    }),
    probe("P252 selectors without end, and many of them", async (s) => {
      await s.get(
        `${s.in("configmaps")}?labelSelector=${encodeURIComponent(`k in (${Array.from({ length: 500 }, (_, index) => `v${index}`).join(",")})`)}`,
      );
      await s.get(`${s.in("configmaps")}?labelSelector=${"%28".repeat(200)}`, message);
      await s.get(`${s.in("configmaps")}?labelSelector=%00`, message);
      await s.get(`${s.in("configmaps")}?limit=1&limit=2`, { view: (body) => valueAt({ body }, "items") ?? null });
    }),
    probe("P253 schemas whose patterns would hang a naive matcher", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(s, {
          version: {
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: { type: "object", properties: { p: { type: "string", pattern: "^(a+)+$" } } } },
              },
            },
          },
        }),
      );
      await s.post(widgets, widget(s, "a", { spec: { p: `${"a".repeat(40)}!` } }));
      await s.post(widgets, widget(s, "b", { spec: { p: "aaaa" } }), { view: (body) => valueAt({ body }, "spec") ?? null });
    }),
  ],
};
