/** The rules for names, labels, addresses and the like, compared with Kubernetes' own. */
import {
  checkCIdentifier,
  checkConfigMapKey,
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkDns1123SubdomainWithUnderscore,
  checkEnvVarName,
  checkHttpHeaderName,
  checkLabel1035Name,
  checkLabelName,
  checkLabelValue,
  checkPathSegmentName,
  checkPercent,
  checkPortName,
  checkPortNumber,
  checkQualifiedName,
  checkRelaxedEnvVarName,
  checkSubdomainName,
  checkUnixId,
  checkWildcardDns1123Subdomain,
  cidrWarnings,
  ipWarnings,
  printFieldError,
  validateCidr,
  validateDomainPrefixedKey,
  validateDomainPrefixedPath,
  validateFieldManager,
  validateFinalizerName,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateInterfaceAddress,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";

type Check = (value: string) => string[];
interface Question {
  readonly check: string;
  readonly value: string;
}

const path = "spec.spot";
const at =
  (validate: (value: string, path: string) => FieldError[]): Check =>
  (value) =>
    validate(value, path).map(printFieldError);
const names: Readonly<Record<string, Check>> = {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkDns1035Label,
  checkDns1123SubdomainWithUnderscore,
  checkWildcardDns1123Subdomain,
  checkQualifiedName,
  checkLabelValue,
  checkConfigMapKey,
  checkEnvVarName,
  checkRelaxedEnvVarName,
  checkHttpHeaderName,
  checkCIdentifier,
  checkPercent,
  checkPortName,
  checkSubdomainName,
  checkLabelName,
  checkLabel1035Name,
  checkPathSegmentName,
  "checkSubdomainName prefix": (value) => checkSubdomainName(value, { prefix: true }),
  "checkLabelName prefix": (value) => checkLabelName(value, { prefix: true }),
  "checkLabel1035Name prefix": (value) => checkLabel1035Name(value, { prefix: true }),
  "checkPathSegmentName prefix": (value) => checkPathSegmentName(value, { prefix: true }),
  validateFullyQualifiedName: at(validateFullyQualifiedName),
  validateFullyQualifiedDomainName: at(validateFullyQualifiedDomainName),
  validateDomainPrefixedPath: at(validateDomainPrefixedPath),
  validateDomainPrefixedKey: at(validateDomainPrefixedKey),
  validateFieldManager: at(validateFieldManager),
  validateFinalizerName: at(validateFinalizerName),
};
const addresses: Readonly<Record<string, Check>> = {
  validateIp: at(validateIp),
  validateCidr: at(validateCidr),
  validateInterfaceAddress: at(validateInterfaceAddress),
  validateLegacyIp: at(validateLegacyIp),
  validateLegacyCidr: at(validateLegacyCidr),
  "validateLegacyIp lax": at((value, where) => validateLegacyIp(value, where, { strict: false })),
  "validateLegacyCidr lax": at((value, where) => validateLegacyCidr(value, where, { strict: false })),
  ipWarnings: (value) => ipWarnings(value, path),
  cidrWarnings: (value) => cidrWarnings(value, path),
};
const numbers: Readonly<Record<string, Check>> = {
  checkPortNumber: (value) => checkPortNumber(Number(value)),
  checkUnixId: (value) => checkUnixId(Number(value)),
};
const all: Readonly<Record<string, Check>> = { ...names, ...addresses, ...numbers };

const nameValues = [
  "",
  "a",
  "A",
  "1",
  "-",
  ".",
  "..",
  "..a",
  "_a.b",
  "a-",
  "a.",
  "a..b",
  "a.b.c",
  "a_b",
  "a--b",
  "a b",
  "a\n",
  "é",
  "é-",
  "😀-",
  "a/b",
  "a/b/c",
  "/a",
  "a/",
  "example.com/MyName",
  "Example.com/MyName",
  "*.a.b",
  "*.*.a",
  "%",
  "100%",
  "http-8080",
  "8080",
  "example.com.",
  "com.",
  "acme.io/%20",
  "FOO=",
  "1FOO",
  "a\u0007b\u200b",
];
// Long texts, sent only if the oracle is built: their answers are too large to record.
const moreNameValues = [
  "...",
  "_",
  "-a",
  ".a",
  "a.b",
  "A.b",
  "a._b",
  "a-b",
  "1-2",
  " a",
  "a\n\n",
  "日-",
  "/",
  "example.com/-",
  "example.com/my name",
  "*.a",
  "*",
  "a.*",
  "a--",
  "--",
  "a.-",
  "a-.",
  "5%",
  "-5%",
  "5.5%",
  "%5",
  "http",
  "a".repeat(15),
  "a".repeat(16),
  "a".repeat(62),
  "a".repeat(63),
  "a".repeat(64),
  `${"a".repeat(63)}-`,
  `${"é".repeat(31)}é-`,
  "a".repeat(253),
  "a".repeat(254),
  `${"a".repeat(253)}/b`,
  `${"a".repeat(254)}/b`,
  `x/${"a".repeat(64)}`,
  `${"a.".repeat(126)}a`,
  `${"a.".repeat(127)}a`,
  "example.com..",
  "com",
  `${"a".repeat(64)}.com`,
  "a.b.c.",
  "acme.io/foo/bar",
  "acme.io/fo o",
  "acme.io/é",
  "Acme/foo",
  "X-Header",
  "X_Header",
  "FOO",
  "foo bar",
  ".foo",
  "..foo",
  "tab\t",
  "~",
  "\u007f",
  "\u0000",
  "kubernetes",
  "orphan",
  "\u0130",
  "K",
  "a".repeat(128),
  "a".repeat(129),
  "\ue000\u{10ffff}",
];
const addressValues = [
  "",
  "1.2.3.4",
  "0.0.0.0",
  "255.255.255.255",
  "256.1.1.1",
  "1.2.3",
  "1.2.3.4.5",
  "01.2.3.4",
  "1.2.3.04",
  "1.2.3.0004",
  "1.2.3.",
  ".1.2.3",
  "1..2.3",
  "a.b.c.d",
  "1.2.3.4 ",
  " 1.2.3.4",
  "1.2.3.-4",
  "::",
  "::1",
  "1::",
  "1::2",
  "::1::",
  ":::",
  ":1",
  "1:",
  "1:2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1:2:3:4:5:6:7::",
  "::2:3:4:5:6:7:8",
  "1::3:4:5:6:7:8",
  "1:2:3:4::5:6:7:8",
  "1:0:0:0:0:0:0:0",
  "1:0:0:2:0:0:0:3",
  "1:0:0:2:0:0:3:4",
  "0:0:0:0:0:0:0:0",
  "FE80::ABC",
  "fe80::0abc",
  "fe80::00abc",
  "fe80::10000",
  "fe80::g",
  "::ffff:1.2.3.4",
  "::FFFF:1.2.3.4",
  "::ffff:102:304",
  "::ffff:01.2.3.4",
  "::1.2.3.4",
  "1:2:3:4:5:6:1.2.3.4",
  "1:2:3:4:5:6:7:1.2.3.4",
  "1:2:3:4:5:1.2.3.4",
  "1.2.3.4::",
  "::1.2.3.4:5",
  "::1.2.3.256",
  "fe80::1%eth0",
  "2001:db8::ffff",
  "2001:0db8::1",
  "000001.2.3.4",
  "99999999999.1.1.1",
  "00000000000000000001::",
  "1.2.3.4:80",
  "[::1]",
  "1.2.3.4/24",
  "1.2.3.0/24",
  "1.2.3.0/024",
  "01.2.3.0/24",
  "1.2.3.4/32",
  "1.2.3.4/33",
  "0.0.0.0/0",
  "1.0.0.0/0",
  "1.2.3.4/",
  "/24",
  "1.2.3.4/a",
  "1.2.3.4/-1",
  "1.2.3.4/+8",
  "1.2.3.4/24/24",
  "::/0",
  "::1/128",
  "::1/129",
  "2001:db8::/64",
  "2001:DB8::/64",
  "2001:db8:0::/64",
  "2001:db8::1/64",
  "::ffff:1.2.3.0/120",
  "::ffff:1.2.3.4/120",
  "::ffff:1.2.3.4/64",
  "::ffff:1.2.3.4/90",
  "::ffff:1.2.3.4/96",
  "::ffff:0.0.0.0/96",
  "::ffff:1.2.3.4/20",
  "::/064",
  "1.2.3.4/99999999999",
  "2001:db8::1.2.3.4/128",
  "1::2/00000000064",
];
const numberValues = ["-1", "0", "1", "80", "65535", "65536", "2147483647", "2147483648"];

const cross = (checks: Readonly<Record<string, Check>>, values: readonly string[]): Question[] =>
  Object.keys(checks).flatMap((check) => values.map((value): Question => ({ check, value })));
const table = [...cross(names, nameValues), ...cross(addresses, addressValues), ...cross(numbers, numberValues)];
// Warnings are only about valid values; for others the library writes to a log.
const answer = ({ check, value }: Question): string[] | undefined => all[check]?.(value);

const nameText = fc.oneof(
  fc
    .array(fc.constantFrom("a", "b", "Z", "0", "9", "-", ".", "_", "/", "*", "%", "é", " ", "=", "..", "--", "a".repeat(60)), {
      maxLength: 8,
    })
    .map((parts) => parts.join("")),
  fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,5}[a-z0-9])?$/),
);
const group = fc.constantFrom("", "0", "00", "1", "ffff", "FFFF", "0db8", "00001", "12345", "g", "1.2.3.4", "01.2.3.4");
const octet = fc.constantFrom("0", "1", "10", "255", "256", "01", "", "a");
const addressText = fc
  .tuple(
    fc.oneof(
      fc.array(octet, { minLength: 3, maxLength: 5 }).map((parts) => parts.join(".")),
      fc.array(group, { minLength: 2, maxLength: 9 }).map((parts) => parts.join(":")),
    ),
    fc.constantFrom("", "", "/0", "/8", "/24", "/024", "/32", "/33", "/64", "/90", "/96", "/120", "/128", "/129", "/"),
  )
  .map((parts) => parts.join(""));

describe("validation and Kubernetes' own", () => {
  it("agree on a table of good and bad values", () => {
    const answers = recordedAnswers("validation", table);
    for (const [index, question] of table.entries()) expect(answer(question), JSON.stringify(question)).toEqual(answers[index]?.output);
  });

  it("agree on more values, and on random ones", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const question = fc.oneof(
      fc.record({ check: fc.constantFrom(...Object.keys(names)), value: nameText }),
      fc.record({ check: fc.constantFrom(...Object.keys(addresses)), value: addressText }),
    );
    const questions = cross(names, moreNameValues).concat(fc.sample(question, process.env["DROVER_LONG"] === "1" ? 200_000 : 10_000));
    const answers = askOracle("validation", questions);
    for (const [index, asked] of questions.entries()) expect(answer(asked), JSON.stringify(asked)).toEqual(answers[index]?.output);
  });
});
