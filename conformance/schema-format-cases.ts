/** Texts for every string format: right, wrong and nearly right. */
import type { Choice } from "./schema-grammar.ts";

export const formatSamples: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ["507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
  uri: [
    "http://a.b/c?d=e#f", "/path", "path", "*", "", "mailto:a@b", "http://", "http://[::1]:80/x", "http://[::1%25en0]/", "http://[::1%en0]/", "http://a:b@c/", "http://a b/", "http://a/%zz", "http://a/%20",
    "http://a%20b/", "http://a:80x/", "http://a:1:2/", "mysql://a:1,b:2/x", "1http://a", "http:opaque", ":x", "http://[1.2.3.4]/", "http://a@b@c/", "http://%c3%a9/", "http://é/", "//a/b", "http://a?b c", "a/b:c", "ht_tp://x",
  ],
  email: [
    "a@b.c", "A B <a@b.c>", "\"A, B\" <a@b.c>", "a@b.c (comment)", "Team: a@b.c;", "Team: a@b.c, d@e.f;", "Team:;", "<a@b.c>", "a@", "@b", "a.b@c", ".a@b", "a..b@c", "a.@b", "\"a b\"@c", "\"\"@c", "a@[1.2.3.4]",
    "a@[::1]", "a@[x]", "a b@c", "a@b c", "a@b.", "é@ü.de", "=?utf-8?q?a=20b?= <a@b.c>", "=?koi8-r?q?a?= <a@b.c>", "=?koi8-r?q?a=?= <a@b.c>", "x =?koi8-r?b?YQ==?= <a@b.c>", "a@b.c (=?koi8-r?q?a?=)", "a@b.c (x (y) z)", "a@b.c (x", "(c) a@b.c", " a@b.c ",
    "a@b.c,", "A <a@b.c> (x)", "A(x) B <a@b.c>", "\"a\\\"b\"@c", "\"a\u0001\"@c", "A \"B\" C <a@b>", "A.B. <a@b>", "<a@b", "A <>", "a@b.c;", "\"unclosed <a@b>",
  ],
  hostname: ["a", "a.b", "a.bc", "example.com", "-a", "a-", "a-b", "1a.com", "a.1b", "a_b", "ä.de", "😀", "a.😀", `${"a".repeat(63)}.com`, `${"a".repeat(64)}.com`, "é".repeat(32), "a..b", "a.", "", "a-b-c.de", "a--b.de"],
  ipv4: ["1.2.3.4", "01.02.03.04", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.a", "::ffff:1.2.3.4", "::1.2.3.4", "::1", "1.2.3.0004", ""],
  ipv6: ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:8::", "::1.2.3.4", "::01.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1::2::3", "12345::", "00001::", "fe80::1%eth0", "g::", "1.2.3.4", ":::", ":1", "1:"],
  cidr: ["1.2.3.4/8", "01.2.3.4/08", "1.2.3.4/33", "::/0", "::/129", "00001::/3", "1.2.3.4", "1.2.3.4/", "1.2.3.4/-1", "::1.2.3.4/128", "/8", "1.2.3.4/8/9"],
  mac: ["01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "0123.4567.89ab.cdef", "01:23:45:67:89:ab:cd:ef", "01:23-45:67:89:ab", "01:23:45:67:89", "01:23:45:67:89:ag", Array.from({ length: 20 }, () => "ab").join(":"), "01234567.89ab"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "123e4567-e89b-12d3-a456-42661417400", ""],
  uuid3: ["123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  uuid4: ["123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000"],
  uuid5: ["123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-52d3-7456-426614174000"],
  isbn: ["0321751043", "978-0321751041", "032175104X", "123"],
  isbn10: ["0321751043", "0-321-75104-3", "080442957X", "0321751044"],
  isbn13: ["978-0321751041", "978 0321751041", "9780321751042"],
  creditcard: ["4111-1111-1111-1111", "4111 1111 1111 1112", "5500000000000004", "371449635398431", "x4111111111111111y", ""],
  ssn: ["123-45-6789", "123 45 6789", "123456789", "12345678901", "123-456789 "],
  hexcolor: ["#fff", "fff", "#FFFFFF", "#ffff", "#ggg"],
  rgbcolor: ["rgb(0,0,0)", "rgb( 255 , 1 , 99 )", "rgb(256,0,0)", "rgb(01,0,0)", "RGB(0,0,0)", "rgb(0,0,0"],
  byte: ["YQ==", "YWI=", "YWJj", "YWJ", "YQ=", "====", "", "YW J", "Y===", "YQ==YQ=="],
  password: ["", "anything"],
  date: ["2020-02-29", "2019-02-29", "2020-13-01", "2020-00-01", "2020-01-00", "0000-01-01", "20-01-01", "2020-1-1", "2020-01-01 ", "9999-12-31"],
  datetime: [
    "2020-01-02T03:04:05Z", "2020-01-02t03:04:05z", "2020-01-02T03:04:05.123Z", "2020-01-02T03:04:05+01:00", "2020-01-02T24:00:00Z", "2020-01-02T03:04:60Z", "2020-01-02T03:60:00Z", "2020-01-02", "2020-01-02T03:04:05",
    "2020-01-02T03:04:05ZT", "2020-01-02T03:04:05x9Z", "2020-01-02T03:04:05.Z", "2020-02-30T00:00:00Z", "T", "nope", "2020-01-02T03:04:05+9:00",
  ],
  "date-time": ["2020-01-02T03:04:05Z", "x"],
  duration: ["1h", "1h30m", "1.5h", "2 weeks", "about 3 days", "0", "+0", "-5s", "", "5", "h", "1 fortnight", "3 min", "10 HOURS", "5µs", "5μs", "1.s", ".5s", "9223372037s", "99999999999.s", "99999999999999999999h", "1d", "7 wk", "-", "1h ", "1 ns x"],
  "k8s-short-name": ["a", "a-b", "-a", "A", "a.b", "a".repeat(63), "a".repeat(64), ""],
  "k8s-long-name": ["a.b", "a..b", "a.b-", "a".repeat(253), "a".repeat(254), ".a", ""],
};

/** A sample with a small change: a character more, less or another. */
export function mutated(choice: Choice, text: string): string {
  const characters = Array.from(text);
  const at = choice.int(characters.length + 1);
  const inserted = choice.pick([...Array.from("a0.:-@/[]% <>\"(),;T+=?é😀\u0000\n#_~Z\\"), ...characters]);
  characters.splice(at, choice.int(2), ...(choice.chance(0.7) ? [inserted] : []));
  return choice.chance(0.4) ? mutated(choice, characters.join("")) : characters.join("");
}
