/** Numbers in Go's format, for Prometheus text, YAML and messages. */

/** Formats a number in Go's shortest form: "0.005", "123456", "1e+06", "9.999999999999999e-06", "+Inf", "NaN". */
export function formatGoFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  return String(value);
}

/** Formats a number as `%f`: six digits after the point, no exponent, and halves rounded to the even digit; `toFixed` rounds them up. */
export function formatGoFixed(value: number): string {
  if (!Number.isFinite(value)) return formatGoFloat(value);
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  // The number is `mantissa` times two to the power of `power`.
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  const text = scaled(mantissa * 10n ** 6n, power)
    .toString()
    .padStart(7, "0");
  return `${bits >> 63n === 1n ? "-" : ""}${text.slice(0, -6)}.${text.slice(-6)}`;
}

/** Multiplies by a power of two and rounds. */
function scaled(value: bigint, power: number): bigint {
  if (power >= 0) return value << BigInt(power);
  const shift = BigInt(-power);
  const whole = value >> shift;
  const rest = value - (whole << shift);
  const half = 1n << (shift - 1n);
  return rest > half || (rest === half && whole % 2n === 1n) ? whole + 1n : whole;
}
