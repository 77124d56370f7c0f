/**
 * When a schedule's time comes next. Where clocks are put forward or back it is as with the library that Kubernetes uses:
 *
 *     what a clock never shows does not happen that day; what it shows twice happens twice
 *
 * Where clocks jump at midnight, or by less than an hour, that library may leave a run out or put it on the next day.
 * Jobs are to come when they come with
 * Kubernetes, so the walk here takes the same turns: months and days of the calendar, then hours and minutes of real time.
 */
import { civilDate, dayNumber } from "./calendar.ts";
import type { CivilDate } from "./calendar.ts";
import type { CronCalendar, CronSchedule } from "./cron-schedule.ts";
import type { TimeZone } from "./time-zone.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** What has not come by the end of the fifth year from now is not waited for. */
const yearsMax = 5;

/** The first time after this moment, on a whole second; undefined when there is none within five years. All in milliseconds since 1970. */
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
 * Goes on until a field matches, from smaller units that are zero. Whether it ran into the next greater unit, so that
 * all must be looked at again.
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

/** Two fields for days: when both say something one of them is enough, else both must hold. */
function dayMatches(walk: Walk, { dayOfMonth, dayOfWeek }: CronCalendar): boolean {
  const isDay = dayOfMonth.values.has(walk.date.day);
  const isWeekday = dayOfWeek.values.has(walk.weekday);
  return dayOfMonth.isStar || dayOfWeek.isStar ? isDay && isWeekday : isDay || isWeekday;
}

/** A moment that moves on, and what a clock shows at it. */
class Walk {
  readonly #zone: TimeZone;
  #at: number;
  /** What the clock shows, counted as if it were UTC. */
  #wall: number;
  /** Whether smaller units are zero; they are as soon as one step has been made. */
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

  /** Before the first step: back to where the unit begins. */
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
   * To the next midnight; where there is none, by so many hours of real time. A day that some calendar left out is gone
   * through, where the library would never end.
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

  /** Goes to when the clock shows this. Where it never does, or twice, Go's choice: the offset as it was or will be, were the wall UTC. */
  #show(wall: number): void {
    const guess = this.#zone.offsetAt(wall);
    this.#go(guess === 0 ? wall : wall - this.#zone.offsetAt(wall - guess));
  }
}

const modulo = (value: number, base: number): number => ((value % base) + base) % base;
