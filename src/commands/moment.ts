/** Moments as a person's own clock shows them. */

/** `12:03:11`, with its day before it when that isn't today's. Local time. @param at @param now epoch ms */
export function moment(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = [then.getHours(), then.getMinutes(), then.getSeconds()].map(twoDigits).join(':');
  const isToday = dayOf(then) === dayOf(today);
  return isToday ? time : `${dayOf(then)} ${time}`;
}

function dayOf(date: Date): string {
  return [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
