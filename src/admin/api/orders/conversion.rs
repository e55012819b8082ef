//! Orders of the API to those of the domain and back.

use coded_text::CodedText;
use tournament::{Hall, Order as Domain};

use super::{DrawnStart, Order, PairingFile, Seat, SectionSettings, TakenStart};

impl Order {
    /// The order in a hall: settings of a section that are not named are those that it has.
    ///
    /// # Errors
    /// What is wrong with the settings of a section, in one sentence.
    pub(crate) fn in_hall(self, hall: &Hall) -> Result<Domain, String> {
        Ok(match self {
            Order::SetTournament { tournament, settings } => {
                Domain::SetTournament { tournament, settings: settings.into() }
            }
            Order::SetSection { section, settings, confirm } => {
                let present = hall.section(&section).map(|section| section.settings.clone().into());
                Domain::SetSection { section, settings: settings.over(present)?.into(), confirm }
            }
            Order::RemoveSection { section } => Domain::RemoveSection { section },
            Order::RestoreSection { section } => Domain::RestoreSection { section },
            Order::EndEvent { section, confirm } => Domain::EndEvent { section, confirm },
            Order::ResumeEvent { section } => Domain::ResumeEvent { section },
            Order::SetRound { section, round, settings } => {
                Domain::SetRound { section, round, settings: settings.into() }
            }
            Order::SetBoardDelay { section, board, delay_s } => {
                Domain::SetBoardDelay { section, board, delay: delay_s.map(Into::into) }
            }
            Order::SetStart { section, round, start } => {
                Domain::SetStart { section, round, start: start.map(Into::into) }
            }
            Order::LoadPairings { section, files, round, confirm } => {
                Domain::LoadPairings { section, files: files.into_iter().map(Into::into).collect(), round, confirm }
            }
            Order::ConfirmPairings { section } => Domain::ConfirmPairings { section },
            Order::Pair { section, round, number, white, black, boardless, confirm } => {
                Domain::Pair { section, round, number, white: white.into(), black: black.into(), boardless, confirm }
            }
            Order::Unpair { game, confirm } => Domain::Unpair { game, confirm },
            Order::SetBye { section, round, player, kind } => {
                Domain::SetBye { section, round, player: player.into(), kind: kind.map(Into::into) }
            }
            Order::AddPlayer { section, person, number } => {
                Domain::AddPlayer { section, person: person.into(), number }
            }
            Order::SetPlayer { player, person } => Domain::SetPlayer { player: player.into(), person: person.into() },
            Order::RemovePlayer { player } => Domain::RemovePlayer { player: player.into() },
            Order::RestorePlayer { player } => Domain::RestorePlayer { player: player.into() },
            Order::SetDisplay { player, display } => {
                Domain::SetDisplay { player: player.into(), display: display.into() }
            }
            Order::Forget { player } => Domain::Forget { player: player.into() },
            Order::Publish { section, round, confirm } => Domain::Publish { section, round, confirm },
            Order::Arm { section, round, confirm } => Domain::Arm { section, round, confirm },
            Order::Finish { section, round } => Domain::Finish { section, round },
            Order::Unpublish { section, round, confirm } => Domain::Unpublish { section, round, confirm },
            Order::Reopen { section, round } => Domain::Reopen { section, round },
            Order::RegisterBoard { board } => Domain::RegisterBoard { board },
            Order::IgnoreSquares { board, squares } => Domain::IgnoreSquares { board, squares },
            Order::GoOn { board } => Domain::GoOn { board },
            Order::StartFrom { board, fen, variant } => Domain::StartFrom { board, fen, variant: variant.into() },
            Order::SeatBoards { seats } => Domain::SeatBoards { seats: seats.into_iter().map(Into::into).collect() },
            Order::AssignBySerial { boards } => Domain::AssignBySerial { boards },
            Order::IdentifyTable { table } => Domain::IdentifyTable { table },
            Order::SetResult { game, result, reason, confirm } => Domain::SetResult { game, result, reason, confirm },
            Order::EditMoves { game, edit, cut } => Domain::EditMoves { game, edit: edit.into(), cut },
            Order::SetClock { game, ply, clk_ms, emt_ms } => Domain::SetClock { game, ply, clk_ms, emt_ms },
            Order::SetPlayers { game, white, black, confirm } => {
                Domain::SetPlayers { game, white: white.map(Into::into), black: black.map(Into::into), confirm }
            }
            Order::ExchangePlayers { section, round, one, other } => {
                Domain::ExchangePlayers { section, round, one: one.into(), other: other.into() }
            }
            Order::SetTags { game, tags } => Domain::SetTags { game, tags },
            Order::SwapBoard { game, board, exchange } => Domain::SwapBoard { game, board, exchange },
            Order::Adjourn { game } => Domain::Adjourn { game },
            Order::Resume { game, board } => Domain::Resume { game, board },
            Order::Withdraw { game } => Domain::Withdraw { game },
            Order::Restore { game } => Domain::Restore { game },
            Order::Adopt { unassigned, game, confirm } => Domain::Adopt { unassigned, game, confirm },
            Order::TakeMoves { game, source, moves, start, result } => {
                let moves = moves.into_iter().map(Into::into).collect();
                let start =
                    start.map(|TakenStart { fen, variant }| tournament::TakenStart { fen, variant: variant.into() });
                Domain::TakeMoves { game, source, moves, start, result }
            }
            Order::Note { what } => Domain::Note { what: CodedText::in_words(what.trim()) },
            Order::Undo { number } => Domain::Undo { number },
        })
    }
}

/// How a correction is undone, as the history tells it.
impl From<Domain> for Order {
    fn from(order: Domain) -> Self {
        match order {
            Domain::SetTournament { tournament, settings } => {
                Self::SetTournament { tournament, settings: settings.into() }
            }
            Domain::SetSection { section, settings, confirm } => {
                let settings = SectionSettings::from(settings).into();
                Self::SetSection { section, settings, confirm }
            }
            Domain::RemoveSection { section } => Self::RemoveSection { section },
            Domain::RestoreSection { section } => Self::RestoreSection { section },
            Domain::EndEvent { section, confirm } => Self::EndEvent { section, confirm },
            Domain::ResumeEvent { section } => Self::ResumeEvent { section },
            Domain::SetRound { section, round, settings } => {
                Self::SetRound { section, round, settings: settings.into() }
            }
            Domain::SetBoardDelay { section, board, delay } => {
                Self::SetBoardDelay { section, board, delay_s: delay.map(Into::into) }
            }
            Domain::SetStart { section, round, start } => {
                Self::SetStart { section, round, start: start.map(Into::into) }
            }
            Domain::LoadPairings { section, files, round, confirm } => {
                Self::LoadPairings { section, files: files.into_iter().map(Into::into).collect(), round, confirm }
            }
            Domain::ConfirmPairings { section } => Self::ConfirmPairings { section },
            Domain::Pair { section, round, number, white, black, boardless, confirm } => {
                Self::Pair { section, round, number, white: white.into(), black: black.into(), boardless, confirm }
            }
            Domain::Unpair { game, confirm } => Self::Unpair { game, confirm },
            Domain::SetBye { section, round, player, kind } => {
                Self::SetBye { section, round, player: player.into(), kind: kind.map(Into::into) }
            }
            Domain::AddPlayer { section, person, number } => Self::AddPlayer { section, person: person.into(), number },
            Domain::SetPlayer { player, person } => Self::SetPlayer { player: player.into(), person: person.into() },
            Domain::RemovePlayer { player } => Self::RemovePlayer { player: player.into() },
            Domain::RestorePlayer { player } => Self::RestorePlayer { player: player.into() },
            Domain::SetDisplay { player, display } => {
                Self::SetDisplay { player: player.into(), display: display.into() }
            }
            Domain::Forget { player } => Self::Forget { player: player.into() },
            Domain::Publish { section, round, confirm } => Self::Publish { section, round, confirm },
            Domain::Arm { section, round, confirm } => Self::Arm { section, round, confirm },
            Domain::Finish { section, round } => Self::Finish { section, round },
            Domain::Unpublish { section, round, confirm } => Self::Unpublish { section, round, confirm },
            Domain::Reopen { section, round } => Self::Reopen { section, round },
            Domain::RegisterBoard { board } => Self::RegisterBoard { board },
            Domain::IgnoreSquares { board, squares } => Self::IgnoreSquares { board, squares },
            Domain::GoOn { board } => Self::GoOn { board },
            Domain::StartFrom { board, fen, variant } => Self::StartFrom { board, fen, variant: variant.into() },
            Domain::SeatBoards { seats } => Self::SeatBoards { seats: seats.into_iter().map(Into::into).collect() },
            Domain::AssignBySerial { boards } => Self::AssignBySerial { boards },
            Domain::IdentifyTable { table } => Self::IdentifyTable { table },
            Domain::SetResult { game, result, reason, confirm } => Self::SetResult { game, result, reason, confirm },
            Domain::EditMoves { game, edit, cut } => Self::EditMoves { game, edit: edit.into(), cut },
            Domain::SetClock { game, ply, clk_ms, emt_ms } => Self::SetClock { game, ply, clk_ms, emt_ms },
            Domain::SetPlayers { game, white, black, confirm } => {
                Self::SetPlayers { game, white: white.map(Into::into), black: black.map(Into::into), confirm }
            }
            Domain::ExchangePlayers { section, round, one, other } => {
                Self::ExchangePlayers { section, round, one: one.into(), other: other.into() }
            }
            Domain::SetTags { game, tags } => Self::SetTags { game, tags },
            Domain::SwapBoard { game, board, exchange } => Self::SwapBoard { game, board, exchange },
            Domain::Adjourn { game } => Self::Adjourn { game },
            Domain::Resume { game, board } => Self::Resume { game, board },
            Domain::Withdraw { game } => Self::Withdraw { game },
            Domain::Restore { game } => Self::Restore { game },
            Domain::Adopt { unassigned, game, confirm } => Self::Adopt { unassigned, game, confirm },
            Domain::TakeMoves { game, source, moves, start, result } => {
                let moves = moves.into_iter().map(Into::into).collect();
                let start = start.map(|start| TakenStart { fen: start.fen, variant: start.variant.into() });
                Self::TakeMoves { game, source, moves, start, result }
            }
            Domain::Note { what } => Self::Note { what: what.english },
            Domain::Undo { number } => Self::Undo { number },
        }
    }
}

impl From<DrawnStart> for tournament::DrawnStart {
    fn from(start: DrawnStart) -> Self {
        match start {
            DrawnStart::Chess960(number) => Self::Chess960(number),
            DrawnStart::Fen(fen) => Self::Fen(fen),
        }
    }
}

impl From<tournament::DrawnStart> for DrawnStart {
    fn from(start: tournament::DrawnStart) -> Self {
        match start {
            tournament::DrawnStart::Chess960(number) => Self::Chess960(number),
            tournament::DrawnStart::Fen(fen) => Self::Fen(fen),
        }
    }
}

impl From<Seat> for tournament::Seat {
    fn from(Seat { table, board }: Seat) -> Self {
        Self { table, board }
    }
}

impl From<tournament::Seat> for Seat {
    fn from(tournament::Seat { table, board }: tournament::Seat) -> Self {
        Self { table, board }
    }
}

impl From<PairingFile> for tournament::PairingFile {
    fn from(PairingFile { name, text, guessed_encoding }: PairingFile) -> Self {
        Self { name, text, guessed_encoding }
    }
}

impl From<tournament::PairingFile> for PairingFile {
    fn from(tournament::PairingFile { name, text, guessed_encoding }: tournament::PairingFile) -> Self {
        Self { name, text, guessed_encoding }
    }
}
