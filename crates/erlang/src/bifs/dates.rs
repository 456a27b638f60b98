//! Dates and times of day. The time zone is UTC.

use super::system::system_nanoseconds;
use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Arguments;
    "date" () -> Tuple from Time TimeZone, badarg, date, Effect;
    "time" () -> Tuple from Time TimeZone, badarg, time, Effect;
    "localtime" () -> Tuple from Time TimeZone, badarg, universaltime, Effect;
    "universaltime" () -> Tuple from Time, badarg, universaltime, Effect;
    "localtime_to_universaltime" (Any, Any) -> Tuple from TimeZone, badarg, localtime_to_universaltime, Effect;
    "universaltime_to_localtime" (Any) -> Tuple from TimeZone, badarg, universaltime_to_localtime, Effect;
    "posixtime_to_universaltime" (Any) -> Tuple, badarg, posixtime_to_universaltime, Sampled;
    "universaltime_to_posixtime" (Any) -> Integer, badarg, universaltime_to_posixtime, Sampled;
}];

struct DateTime {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

const SECONDS_PER_DAY: i64 = 86_400;
/// Days of a whole cycle of leap years (400 years), and from 0000-03-01 to 1970-01-01.
const DAYS_PER_ERA: i64 = 146_097;
const DAYS_TO_EPOCH: i64 = 719_468;
/// The first of the years for which the BEAM asks the system's time zone.
const FIRST_YEAR_OF_ZONES: i64 = 1902;
/// Seconds by which daylight saving time is ahead, also in a zone that has none.
const DAYLIGHT_SAVING: i64 = 3_600;

impl DateTime {
    /// Converts seconds to a date with Howard Hinnant's algorithm: years that begin in March have their leap day at the
    /// end.
    fn of_seconds(seconds: i64) -> DateTime {
        let (days, rest) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
        // Years begin in March. The first guess is at most one too high; leap days before the year 0 are
        // rounded towards it, as the BEAM does.
        let days = days + DAYS_TO_EPOCH;
        let first_day = |year: i64| 365 * year + year / 4 - year / 100 + year / 400;
        let guess = (days * 10_000 + 14_780) / 3_652_425;
        let year = if days < first_day(guess) { guess - 1 } else { guess };
        let day_of_year = days - first_day(year);
        let shifted_month = (100 * day_of_year + 52) / 3_060;
        DateTime {
            year: year + (shifted_month + 2) / 12,
            month: (shifted_month + 2) % 12 + 1,
            day: day_of_year - (306 * shifted_month + 5) / 10 + 1,
            hour: rest / 3_600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    fn seconds(&self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let day_of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let days = era * DAYS_PER_ERA + day_of_era - DAYS_TO_EPOCH;
        days * SECONDS_PER_DAY + self.hour * 3_600 + self.minute * 60 + self.second
    }

    /// Reads `{{Y, Mo, D}, {H, Mi, S}}` if the numbers are a valid date and time.
    fn of_word(word: Word) -> Option<DateTime> {
        let parts = |word: Word| -> Option<[i64; 3]> {
            let &[a, b, c] = word.concrete().as_tuple()? else { return None };
            Some([a.concrete().as_small()?, b.concrete().as_small()?, c.concrete().as_small()?])
        };
        let &[date, time] = word.as_tuple()? else { return None };
        let ([year, month, day], [hour, minute, second]) = (parts(date)?, parts(time)?);
        let is_valid = (1600..i64::from(i32::MAX)).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day)
            && (0..24).contains(&hour)
            && (0..60).contains(&minute)
            && (0..60).contains(&second);
        is_valid.then_some(DateTime { year, month, day, hour, minute, second })
    }

    /// Reads a date and time if there are time zones for its year.
    fn in_zones(word: Word) -> Option<DateTime> {
        DateTime::of_word(word).filter(|time| time.year >= FIRST_YEAR_OF_ZONES)
    }

    fn word(&self, context: &mut Context) -> Word {
        let date = self.date(context);
        let time = self.time(context);
        context.heap.tuple(&[date, time])
    }

    fn date(&self, context: &mut Context) -> Word {
        context.heap.tuple(&[self.year, self.month, self.day].map(Word::small))
    }

    fn time(&self, context: &mut Context) -> Word {
        context.heap.tuple(&[self.hour, self.minute, self.second].map(Word::small))
    }
}

fn days_of_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn now(context: &mut Context) -> DateTime {
    DateTime::of_seconds(system_nanoseconds(context) / 1_000_000_000)
}

fn date(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(now(context).date(context))
}

fn time(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(now(context).time(context))
}

fn universaltime(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(now(context).word(context))
}

fn localtime_to_universaltime(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_daylight_saving = match args[1].as_boolean() {
        Some(is_daylight_saving) => is_daylight_saving,
        None if args[1] == Word::atom(names::UNDEFINED) => false,
        None => return Err(badarg(context, args)),
    };
    match DateTime::in_zones(args[0]) {
        Some(time) if is_daylight_saving => Ok(DateTime::of_seconds(time.seconds() - DAYLIGHT_SAVING).word(context)),
        Some(time) => Ok(time.word(context)),
        None => Err(badarg(context, args)),
    }
}

fn universaltime_to_localtime(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match DateTime::in_zones(args[0]) {
        Some(time) => Ok(time.word(context)),
        None => Err(badarg(context, args)),
    }
}

fn posixtime_to_universaltime(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].as_i64() {
        Some(seconds) => Ok(DateTime::of_seconds(seconds).word(context)),
        None => Err(badarg(context, args)),
    }
}

fn universaltime_to_posixtime(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match DateTime::of_word(args[0]) {
        Some(time) => Ok(Word::small(time.seconds())),
        None => Err(badarg(context, args)),
    }
}
