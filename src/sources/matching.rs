//! Which pairing a game of another recorder is. Pure.
//!
//! The game's id decides, then FIDE ids or both names, then the board number. A board number alone is not enough where the names
//! say that it is another game.

use std::collections::BTreeSet;
use std::sync::Arc;

use tournament::{Hall, Persons, PlayerId, RoundState, Section, StartPosition};

use super::note::GameNote;
use super::read::ReadGame;
use super::refusal::SourceRefusal;
use super::settings::Settings;

/// A pairing that a game may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) game: Arc<str>,
    pub(super) round: u32,
    pub(super) board: u32,
    /// The start position of its round, where one was set.
    pub(super) start: Option<StartPosition>,
    /// White and Black, as words of their names; empty where they are not known.
    names: [BTreeSet<String>; 2],
    fide_ids: [Option<u32>; 2],
}

/// The pairings of a source's section whose rounds are public.
///
/// # Errors
/// When it is not known which section is meant, or no round is public.
pub(super) fn candidates(hall: &Hall, persons: &Persons, settings: &Settings) -> Result<Vec<Candidate>, SourceRefusal> {
    let section = section(hall, settings)?;
    let mut found = Vec::new();
    for round in section.rounds.values().filter(|round| round.published) {
        if settings.round.is_some_and(|only| only != round.number) {
            continue;
        }
        for game in &round.games {
            let side = |player: Option<PlayerId>| player.and_then(|player| persons.get(player));
            let sides = [side(game.pair.white), side(game.pair.black)];
            found.push(Candidate {
                game: Arc::clone(&game.id),
                round: round.number,
                board: game.pair.number,
                start: round.start.clone(),
                names: sides.map(|person| person.map(|person| words(&person.name)).unwrap_or_default()),
                fide_ids: sides.map(|person| person.and_then(|person| person.fide_id)),
            });
        }
    }
    if found.is_empty() {
        return Err(match settings.round {
            Some(round) => SourceRefusal::RoundNotPublic { round },
            None => SourceRefusal::NothingPublic,
        });
    }
    Ok(found)
}

fn section<'a>(hall: &'a Hall, settings: &Settings) -> Result<&'a Section, SourceRefusal> {
    if let Some(slug) = &settings.section {
        return hall.section(slug).ok_or_else(|| SourceRefusal::NoSection { section: slug.clone() });
    }
    let mut paired = hall.sections.values().filter(|section| !section.settings.open_play);
    match (paired.next(), paired.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(SourceRefusal::NoPairings),
        _ => Err(SourceRefusal::Sections),
    }
}

/// The round that games without a number belong to: the latest that is not over, else the last.
pub(super) fn current_round(hall: &Hall, settings: &Settings) -> Option<u32> {
    let section = section(hall, settings).ok()?;
    let public = || section.rounds.values().filter(|round| round.published);
    let open = public().filter(|round| round.state != RoundState::Finished).map(|round| round.number).next_back();
    open.or_else(|| public().map(|round| round.number).next_back())
}

/// For each game its candidate by index, or why it has none.
pub(super) fn match_games(
    games: &[ReadGame],
    candidates: &[Candidate],
    current: Option<u32>,
    settings: &Settings,
) -> Vec<Result<usize, GameNote>> {
    let mut taken = BTreeSet::new();
    let matched = games.iter().map(|game| {
        let found = match_one(game, candidates, current, settings)?;
        if taken.insert(found) { Ok(found) } else { Err(GameNote::Second) }
    });
    matched.collect()
}

fn match_one(game: &ReadGame, all: &[Candidate], current: Option<u32>, settings: &Settings) -> Result<usize, GameNote> {
    if let Some(id) = &game.id
        && let Some(found) = all.iter().position(|candidate| *candidate.game == **id)
    {
        return Ok(found);
    }
    let round = settings.round.or(game.round).or(current);
    let in_round =
        || all.iter().enumerate().filter(|(_, candidate)| round.is_none_or(|round| candidate.round == round));
    let [white, black] = game.names.each_ref().map(|name| words(name));
    let same_players = |candidate: &Candidate, swapped: bool| {
        let (first, second) = if swapped { (1, 0) } else { (0, 1) };
        let same = |side: usize, words: &BTreeSet<String>, id: Option<u32>| match (candidate.fide_ids[side], id) {
            (Some(known), Some(id)) => known == id,
            _ => are_one(&candidate.names[side], words),
        };
        same(first, &white, game.fide_ids[0]) && same(second, &black, game.fide_ids[1])
    };
    let mut by_names = in_round().filter(|(_, candidate)| same_players(candidate, false));
    match (by_names.next(), by_names.next()) {
        (Some((found, _)), None) => return Ok(found),
        (Some(_), Some(_)) => return Err(GameNote::SamePlayers),
        (None, _) => {}
    }
    if let Some((_, candidate)) = in_round().find(|(_, candidate)| same_players(candidate, true)) {
        return Err(GameNote::Colours { board: candidate.board });
    }
    let Some(number) = game.board else {
        return Err(round.map_or(GameNote::NoRound, |round| GameNote::NotPaired { round }));
    };
    let board = number.saturating_add(settings.first_board - 1);
    let Some((found, candidate)) = in_round().find(|(_, candidate)| candidate.board == board) else {
        return Err(match round {
            Some(round) => GameNote::NoBoardInRound { board, round },
            None => GameNote::NoBoard { board },
        });
    };
    // One name may be spelt in another way; two others mean another game.
    let other = |side: usize, words: &BTreeSet<String>| {
        !words.is_empty() && !candidate.names[side].is_empty() && !are_one(&candidate.names[side], words)
    };
    if other(0, &white) && other(1, &black) {
        return Err(GameNote::OtherPlayers { board });
    }
    Ok(found)
}

/// The words of a name, without accents and punctuation.
fn words(name: &str) -> BTreeSet<String> {
    let plain = deunicode::deunicode(name).to_lowercase();
    plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether two names are one person's: the same words, or those of one are among the other's and at least two.
fn are_one(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let fewest = one.len().min(other.len());
    fewest > 0 && (one == other || (fewest > 1 && (one.is_subset(other) || other.is_subset(one))))
}

#[cfg(test)]
mod tests {
    use super::super::settings::From;
    use super::*;

    fn settings(first_board: u32) -> Settings {
        Settings { name: "b".into(), section: None, round: None, first_board, from: From::Post }
    }

    fn pairing(board: u32, white: &str, black: &str) -> Candidate {
        let game = format!("g{board}").into();
        Candidate { game, round: 1, board, start: None, names: [words(white), words(black)], fide_ids: [None, None] }
    }

    fn game(board: Option<u32>, white: &str, black: &str) -> ReadGame {
        ReadGame { board, names: [white.into(), black.into()], ..ReadGame::default() }
    }

    fn matched(games: &[ReadGame], first_board: u32) -> Vec<Result<usize, GameNote>> {
        let all =
            [pairing(1, "Adler, Ida", "Novák, Ivo"), pairing(2, "Müller, Jürgen", "Young, Amy"), pairing(3, "", "")];
        match_games(games, &all, Some(1), &settings(first_board))
    }

    #[test]
    fn names_count_in_any_order_and_spelling() {
        let found =
            matched(&[game(Some(9), "Jurgen Muller", "YOUNG AMY"), game(None, "Adler, Ida Maria", "Novak Ivo")], 1);
        assert_eq!(found, [Ok(1), Ok(0)]);
    }

    #[test]
    fn a_board_counts_unless_both_names_are_others() {
        let found = matched(&[game(Some(3), "", ""), game(Some(1), "Adler, Ida", "N., I.")], 1);
        assert_eq!(found, [Ok(2), Ok(0)]);
        let wrong = matched(&[game(Some(1), "Young, Amy", "Clark, Ann")], 1);
        assert_eq!(wrong, [Err(GameNote::OtherPlayers { board: 1 })]);
        assert_eq!(matched(&[game(Some(1), "", "")], 3), [Ok(2)]);
    }

    #[test]
    fn swapped_colours_and_second_games_are_named() {
        let found = matched(&[game(None, "Novák, Ivo", "Adler, Ida"), game(Some(1), "", ""), game(Some(1), "", "")], 1);
        assert_eq!(found, [Err(GameNote::Colours { board: 1 }), Ok(0), Err(GameNote::Second)]);
    }
}
