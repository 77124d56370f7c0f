import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { civilDate, dayNumber, daysInMonth } from "./calendar.ts";

describe("dayNumber and civilDate", () => {
  it("count days from 1970", () => {
    expect(dayNumber({ year: 1970, month: 1, day: 1 })).toBe(0);
    expect(civilDate(-1)).toEqual({ year: 1969, month: 12, day: 31 });
    expect(civilDate(11_016)).toEqual({ year: 2000, month: 2, day: 29 });
  });

  it("know leap years", () => {
    expect([1900, 2000, 2023, 2024, 0, -4].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29, 29, 29]);
    expect([1, 4, 12].map((month) => daysInMonth(2026, month))).toEqual([31, 30, 31]);
  });

  it("walk through all days of four hundred years without a gap", () => {
    const first = dayNumber({ year: 1600, month: 3, day: 1 });
    let expected = { year: 1600, month: 3, day: 1 };
    let wrong = 0;
    for (let day = first; day < first + 146_097; day++) {
      const { year, month, day: dayOfMonth } = civilDate(day);
      if (year !== expected.year || month !== expected.month || dayOfMonth !== expected.day) wrong++;
      if (dayOfMonth < daysInMonth(year, month)) expected = { year, month, day: dayOfMonth + 1 };
      else expected = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
    }
    expect(wrong).toBe(0);
    expect(expected).toEqual({ year: 2000, month: 3, day: 1 });
  });

  it("convert any day to its date and back, and the next day is the next date", () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000_000, max: 4_000_000 }), (day) => {
        const date = civilDate(day);
        expect(dayNumber(date)).toBe(day);
        const tomorrow = civilDate(day + 1);
        if (date.day < daysInMonth(date.year, date.month)) expect(tomorrow).toEqual({ ...date, day: date.day + 1 });
        else
          expect(tomorrow).toEqual(
            date.month === 12 ? { year: date.year + 1, month: 1, day: 1 } : { ...date, month: date.month + 1, day: 1 },
          );
      }),
    );
  });
});
