/**
 * The next time of a schedule. Around clock changes it behaves like the library that Kubernetes uses:
 *
 *     a time that a clock skips does not happen that day; a time that it shows twice happens twice
 *
 * Where clocks jump at midnight, or by less than an hour, that library may skip a run or move it to the next day. Jobs should start
 * when they do in Kubernetes, so the walk here takes the same steps: months and days of the calendar, then hours and minutes of
 * elapsed time.
 */
import { civilDate, dayNumber } from "./calendar.ts";
import type { CivilDate } from "./calendar.ts";
import type { CronCalendar, CronSchedule } from "./cron-schedule.ts";
import type { TimeZone } from "./time-zone.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Gives up at the end of the fifth year from now. */
const yearsMax = 5;

/**
 * Returns the first time after this moment, on a whole second; undefined if there is no such time within five years. All in milliseconds
 * since 1970.
 */
export function nextRun(schedule: CronSchedule, afterMs: number): number | undefined {
  const second = Math.floor(afterMs / 1000) * 1000;
  if (schedule.type === "interval") return second + schedule.everyMs;
  if ([schedule.minute, schedule.hour, schedule.month].some(({ values }) => values.size === 0)) return undefined;
  const walk = new Walk(schedule.zone, second + 1000);
  const yearMax = walk.date.year + yearsMax;
  while (walk.date.year <= yearMax) {
    if (!turns.some((turn) => turn(walk, schedule))) return walk.at;
  }
  return undefined;
}

/**
 * Advances until a field matches, with smaller units at zero. Returns whether it ran into the next larger unit, so that all fields
 * must be checked again.
 */
type Turn = (walk: Walk, schedule: CronCalendar) => boolean;

const turns: readonly Turn[] = [
  (walk, { month }) => {
    while (!month.values.has(walk.date.month)) {
      walk.begin("month");
      walk.addMonth();
      if (walk.date.month === 1) return true;
    }
    return false;
  },
  (walk, schedule) => {
    while (!dayMatches(walk, schedule)) {
      walk.begin("day");
      walk.addDay();
      if (walk.date.day === 1) return true;
    }
    return false;
  },
  (walk, { hour }) => {
    while (!hour.values.has(walk.hour)) {
      walk.begin("hour");
      walk.add(hourMs);
      if (walk.hour === 0) return true;
    }
    return false;
  },
  (walk, { minute }) => {
    while (!minute.values.has(walk.minute)) {
      walk.begin("minute");
      walk.add(minuteMs);
      if (walk.minute === 0) return true;
    }
    return false;
  },
  (walk) => {
    const past = walk.at % minuteMs;
    if (past === 0) return false;
    walk.begin("second");
    walk.add(minuteMs - past);
    return true;
  },
];

/** The two day fields: when both are restricted, one match is enough, else both must match. */
function dayMatches(walk: Walk, { dayOfMonth, dayOfWeek }: CronCalendar): boolean {
  const isDay = dayOfMonth.values.has(walk.date.day);
  const isWeekday = dayOfWeek.values.has(walk.weekday);
  return dayOfMonth.isStar || dayOfWeek.isStar ? isDay && isWeekday : isDay || isWeekday;
}

/** A moving moment, and its wall clock. */
class Walk {
  readonly #zone: TimeZone;
  #at: number;
  /** Wall clock time, counted as if it were UTC. */
  #wall: number;
  /** Whether smaller units are zero, as after the first step. */
  #hasBegun = false;

  constructor(zone: TimeZone, at: number) {
    this.#zone = zone;
    this.#at = at;
    this.#wall = at + zone.offsetAt(at);
  }

  get at(): number {
    return this.#at;
  }
  get date(): CivilDate {
    return civilDate(Math.floor(this.#wall / dayMs));
  }
  /** 1970-01-01 was a Thursday; 0 is Sunday. */
  get weekday(): number {
    return modulo(Math.floor(this.#wall / dayMs) + 4, 7);
  }
  get hour(): number {
    return Math.floor(modulo(this.#wall, dayMs) / hourMs);
  }
  get minute(): number {
    return Math.floor(modulo(this.#wall, hourMs) / minuteMs);
  }

  /** Before the first step: goes back to the start of the unit. */
  begin(unit: "month" | "day" | "hour" | "minute" | "second"): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (unit === "month") this.#show(dayNumber({ ...this.date, day: 1 }) * dayMs);
    if (unit === "day") this.#show(Math.floor(this.#wall / dayMs) * dayMs);
    if (unit === "hour") this.#show(Math.floor(this.#wall / hourMs) * hourMs);
    if (unit === "minute") this.#go(Math.floor(this.#at / minuteMs) * minuteMs);
  }

  add(ms: number): void {
    this.#go(this.#at + ms);
  }

  addMonth(): void {
    const { year, month, day } = this.date;
    const later = month === 12 ? { year: year + 1, month: 1, day } : { year, month: month + 1, day };
    this.#show(dayNumber(later) * dayMs + modulo(this.#wall, dayMs));
  }

  /**
   * Goes to the next midnight; without one, by so many elapsed hours. Passes a day that a calendar skipped, where the
   * library would loop forever.
   */
  addDay(): void {
    const before = this.#at;
    this.#show(this.#wall + dayMs);
    if (this.#at <= before) this.#go(before + dayMs);
    const { hour } = this;
    if (hour !== 0) this.add((hour > 12 ? 24 - hour : -hour) * hourMs);
  }

  #go(at: number): void {
    this.#at = at;
    this.#wall = at + this.#zone.offsetAt(at);
  }

  /**
   * Goes to the moment of a wall clock time. For a time that is skipped or occurs twice it makes Go's choice: the offset before or
   * after, as if the wall were UTC.
   */
  #show(wall: number): void {
    const guess = this.#zone.offsetAt(wall);
    this.#go(guess === 0 ? wall : wall - this.#zone.offsetAt(wall - guess));
  }
}

const modulo = (value: number, base: number): number => ((value % base) + base) % base;
