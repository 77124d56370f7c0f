/** Prints a double with a number of decimals as Go does: all digits of large numbers, and exact halves rounded to even. */

/** No double has more decimals. */
const decimalsMax = 1074;

/** Returns the digits of a finite number; more than 1074 decimals are left out. */
export function fixedDigits(value: number, decimals: number): string {
  const count = Math.min(decimals, decimalsMax);
  const { mantissa, exponent } = binaryOf(Math.abs(value));
  const digits = String(scaled(mantissa * 10n ** BigInt(count), exponent)).padStart(count + 1, "0");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return count === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -count)}.${digits.slice(-count)}`;
}

/** Returns the whole number nearest to `value` times two to the power of `exponent`. */
function scaled(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value << BigInt(exponent);
  const divisor = 1n << BigInt(-exponent);
  const whole = value / divisor;
  const twice = (value % divisor) * 2n;
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
}

/** The parts of a positive double, which is `mantissa` times two to the power of `exponent`. */
function binaryOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const [raw, fraction] = [Number(bits >> 52n), bits & 0xfffffffffffffn];
  return raw === 0 ? { mantissa: fraction, exponent: -1074 } : { mantissa: fraction | (1n << 52n), exponent: raw - 1075 };
}
