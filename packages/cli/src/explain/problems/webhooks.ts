import type { ProblemArea } from "../problem.ts";

export const webhooks: ProblemArea = {
  title: "Webhooks",
  problems: [
    {
      code: "DRV0601",
      title: "The API server cannot reach the webhooks of this machine",
      means:
        "The operator runs outside of the cluster and would serve webhooks at 127.0.0.1, which is another machine for the API server. Writes of the kinds would fail, so it does not start.",
      causes: ["A cluster in containers, virtual machines or a cloud, and the operator on your machine."],
      find: ["The message has the server's address."],
      fixes: [
        'kind, minikube, k3d: `app.run({ webhooks: { host: "172.17.0.1" } })`, an address of this machine on their network.',
        "`npx @drover/cli up` runs on this machine and reaches it.",
        "`app.run({ webhooks: false })` for a try without them.",
      ],
    },
    {
      code: "DRV0602",
      title: "A webhook would block all writes of a kind while the operator is down",
      means:
        "With `failurePolicy: Fail` the API server refuses every write of this kind while the operator does not answer. For pods these include the pods of the operator itself.",
      causes: ["A webhook for pods, namespaces or another kind of all programs, without selectors."],
      find: ["The message names the kind."],
      fixes: [
        "Narrow it: `namespaceSelector`, `objectSelector`, or `when`.",
        "Use `rules`: CEL that the API server evaluates by itself.",
        '`failurePolicy: "Ignore"`, or `everywhere: true` if it must be so.',
      ],
    },
    {
      code: "DRV0604",
      title: "A webhook handler timed out",
      means: "The function did not answer in time. The request was refused or let through, as `failurePolicy` says.",
      causes: ["`validate` or `mutate` waits for requests or external systems.", "The event loop was blocked."],
      find: ["The line names the webhook and the object. Look for `blocked the event loop` nearby."],
      fixes: ["Decide from the object alone, or from caches.", "Move slow checks into a controller that reports them in the status."],
    },
    {
      code: "DRV0605",
      title: "A webhook handler failed",
      means: "The function threw. The request was refused or let through, as `failurePolicy` says.",
      causes: ["A field is read that the object does not have: objects arrive before validation and without defaults of other webhooks."],
      find: ["The error of the line."],
      fixes: ["Handle absent fields. Refuse by returning problems, not by throwing."],
    },
    {
      code: "DRV0606",
      title: "A request to a webhook is not a review",
      means: "It was answered with an HTTP error. The API server does not send such requests.",
      causes: [
        "A probe, a port scanner or curl called the port.",
        "A configuration registers the wrong path or an unknown version of AdmissionReview.",
      ],
      find: ["The error says what is missing. `kubectl get validatingwebhookconfigurations NAME -o yaml`"],
      fixes: ["Point probes at `/healthz` of the probe port.", 'Let the operator register itself: `registration: "apply"`.'],
    },
    {
      code: "DRV0607",
      title: "Webhooks are not served, so rules in code are not enforced",
      means:
        "The operator runs with `webhooks: false`. Functions in `validate`, `mutate` and `default` are not called; CEL rules of schemas still hold.",
      causes: ["By intent, for a try or a test."],
      find: ["The line lists webhooks and policies."],
      fixes: ["`app.run({ webhooks: {} })`", "Express rules in CEL, which need no webhook."],
    },
    {
      code: "DRV0608",
      title: "The policies of the operator cannot be registered",
      means:
        "ValidatingAdmissionPolicies and their bindings could not be written. They are tried again; until then the rules are not enforced.",
      causes: [
        "The permission is missing.",
        "The server is older than 1.30 and has no ValidatingAdmissionPolicy.",
        "A CEL expression does not compile.",
      ],
      find: ["The error of the line. `kubectl api-resources --api-group admissionregistration.k8s.io`"],
      fixes: ["Grant what `app.roles()` prints, or let an administrator apply `app.webhooks()`.", "Correct the expression."],
    },
    {
      code: "DRV0609",
      title: "A conversion failed",
      means:
        "The API server asked for objects in another version, and a converter threw or returned something invalid. Reads and writes of these objects fail, for every client.",
      causes: ["`up` or `down` does not handle an object that its schema allows, often one with absent fields."],
      find: ["The error of the line names the object. `checkConversions(Kind)` of drover/testing finds such objects."],
      fixes: ["Correct the converter and roll it out soon: the namespace cannot be deleted while conversion fails."],
    },
    {
      code: "DRV0610",
      title: "Versions need conversion, but no webhooks are served",
      means:
        "The definition has versions that only code can convert. Without the webhook the API server could not read objects in every version, so the operator does not start.",
      causes: ["`app.run({ webhooks: false })` with `up` and `down` in `olderVersions`."],
      find: ["The message names the kind."],
      fixes: ["`app.run({ webhooks: {} })`", "Stop serving the older versions: `olderVersions: { v1beta1: { served: false, … } }`."],
    },
    {
      code: "DRV0611",
      title: "An expression is not valid CEL",
      means: "`rules` and `when` are evaluated by the API server and are written in CEL, not in JavaScript.",
      causes: ["`===`, arrow functions, template strings, `undefined`, optional chaining.", "An unbalanced bracket or quote."],
      find: ["The message quotes the expression and the place."],
      fixes: [
        '`object.metadata.name.startsWith("shop-")`, `has(object.spec.image)`, `object.spec.ports.all(p, p.port > 0)`.',
        "What CEL cannot express: `validate` with a function.",
      ],
    },
    {
      code: "DRV0613",
      title: "The certificate authority cannot be injected",
      means:
        "The operator fills in `caBundle` of a webhook configuration that an administrator applies, and no configuration has that name. The API server does not call the webhooks.",
      causes: ["The configuration was not applied, was deleted, or has another name."],
      find: ["The line names kind and name."],
      fixes: ['`kubectl apply` the output of `app.webhooks()`, or set `registration: "apply"`.'],
    },
  ],
};
