import { newNotFound } from "@drover/machinery";
import { expect, it } from "vitest";
import { Result } from "./result.ts";

const about = { attempt: "get pods/a", method: "GET" };
const result = (status: number, body: string, contentType = "application/json"): Result =>
  new Result({ status, headers: { "content-type": contentType }, body }, about);

it("RestResult returns the object, its bytes, status code, content type and warnings", () => {
  const answer = new Result({ status: 201, headers: { "content-type": "application/json" }, body: '{"kind":"Pod"}' }, about, {
    warnings: [{ code: 299, agent: "-", text: "w" }],
  });
  expect(answer.into<{ kind: string }>().kind).toBe("Pod");
  expect(answer.get()).toBe(answer.get());
  expect(new TextDecoder().decode(answer.raw())).toBe('{"kind":"Pod"}');
  expect(answer).toMatchObject({
    statusCode: 201,
    wasCreated: true,
    contentType: "application/json",
    error: undefined,
    warnings: [{ text: "w" }],
  });
  expect(result(200, "{}").wasCreated).toBe(false);
});

it("RestResult contains an error response and throws it when the object is read", () => {
  const refused = result(404, JSON.stringify(newNotFound({ group: "", resource: "pods" }, "a")));
  expect(refused.error).toMatchObject({ name: "ApiError", reason: "NotFound", message: 'pods "a" not found', attempt: "get pods/a" });
  for (const read of [() => refused.into(), () => refused.get(), () => refused.raw()]) expect(read).toThrow('pods "a" not found');
});

it("RestResult recognises a failure Status with code 200", () => {
  expect(result(200, JSON.stringify(newNotFound({ group: "", resource: "pods" }, "a"))).error).toMatchObject({ reason: "NotFound" });
});

it("RestResult returns the bytes of a body that is not JSON, and throws when the object is read", () => {
  const text = result(200, "ok", "text/plain");
  expect(new TextDecoder().decode(text.raw())).toBe("ok");
  expect(text.error).toBeUndefined();
  expect(() => text.into()).toThrow("text/plain instead of JSON");
  expect(() => result(200, "").into()).toThrow("0-length response with status code: 200 and content type: application/json");
});
