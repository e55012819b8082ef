//! Lines of play as parent-linked nodes: equal lines are one node, and what all hypotheses agree on is an ancestor of all.
//!
//! Knows moves and the rules. Must not know what a board shows, costs or time.

use shakmaty::{Chess, Move, Position};

/// A line: the node of its last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// A number that no other line has.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// The position after moves that are legal one after the other.
pub(crate) fn after(from: &Chess, moves: &[Move]) -> Chess {
    let mut position = from.clone();
    for &mv in moves {
        position.play_unchecked(mv);
    }
    position
}

/// The line without plies.
pub(crate) const ROOT: NodeId = NodeId(0);

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: NodeId,
    mv: Option<Move>,
    depth: u32,
    /// The root where there is none.
    first_child: NodeId,
    next_sibling: NodeId,
}

/// Nodes by which the list of all lines grows.
const GROWTH: usize = 128;
/// Nodes in memory before those that nothing uses are looked for; later, twice as many as were used then.
const MANY: usize = 1_000;

/// All lines of one game that any hypothesis ever took.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    nodes: Vec<Node>,
    many: usize,
}

impl Lines {
    pub(crate) fn new() -> Self {
        let root = Node { parent: ROOT, mv: None, depth: 0, first_child: ROOT, next_sibling: ROOT };
        Self { nodes: vec![root], many: MANY }
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The line that goes on from another one by a move; the same node whenever it is asked for.
    pub(crate) fn child(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let mut next = self.node(parent).first_child;
        while next != ROOT {
            if self.node(next).mv == Some(mv) {
                return next;
            }
            next = self.node(next).next_sibling;
        }
        let id = NodeId(self.nodes.len() as u32);
        let first = std::mem::replace(&mut self.nodes[parent.0 as usize].first_child, id);
        let depth = self.node(parent).depth + 1;
        if self.nodes.len() == self.nodes.capacity() {
            self.nodes.reserve_exact(GROWTH);
        }
        self.nodes.push(Node { parent, mv: Some(mv), depth, first_child: ROOT, next_sibling: first });
        id
    }

    /// How many plies a line has.
    pub(crate) fn depth(&self, id: NodeId) -> u32 {
        self.node(id).depth
    }

    /// The line without its last ply; the line without plies stays itself.
    pub(crate) fn parent(&self, id: NodeId) -> NodeId {
        self.node(id).parent
    }

    /// The last ply of a line.
    pub(crate) fn last(&self, id: NodeId) -> Option<Move> {
        self.node(id).mv
    }

    /// The first plies of a line, as many as there are at most.
    pub(crate) fn ancestor(&self, mut id: NodeId, depth: u32) -> NodeId {
        while self.depth(id) > depth {
            id = self.parent(id);
        }
        id
    }

    /// What two lines have in common.
    pub(crate) fn common(&self, mut a: NodeId, mut b: NodeId) -> NodeId {
        while a != b {
            if self.depth(a) >= self.depth(b) {
                a = self.parent(a);
            } else {
                b = self.parent(b);
            }
        }
        a
    }

    /// Whether a line begins with all plies of another one.
    pub(crate) fn begins_with(&self, line: NodeId, with: NodeId) -> bool {
        self.ancestor(line, self.depth(with)) == with
    }

    /// The moves of a line, first to last.
    pub(crate) fn moves(&self, id: NodeId) -> Vec<Move> {
        self.moves_since(id, ROOT)
    }

    /// The moves of a line after those of another one, with all of which it begins.
    pub(crate) fn moves_since(&self, mut id: NodeId, since: NodeId) -> Vec<Move> {
        let mut moves = Vec::with_capacity((self.depth(id) - self.depth(since)) as usize);
        while let Some(mv) = self.last(id).filter(|_| id != since) {
            moves.push(mv);
            id = self.parent(id);
        }
        moves.reverse();
        moves
    }

    /// The position after a line from the start of the game.
    pub(crate) fn position(&self, start: &Chess, id: NodeId) -> Chess {
        after(start, &self.moves(id))
    }

    /// The line that goes on from another one by these moves.
    pub(crate) fn extended(&mut self, from: NodeId, moves: &[Move]) -> NodeId {
        moves.iter().fold(from, |line, &mv| self.child(line, mv))
    }

    /// How many nodes there are.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the lines are so many that unused ones are dropped.
    pub(crate) fn are_many(&self) -> bool {
        self.nodes.len() > self.many
    }

    /// Keeps only the lines that these name, and gives them their new names.
    pub(crate) fn keep(&mut self, lines: Vec<&mut NodeId>) {
        let mut kept = vec![false; self.nodes.len()];
        kept[0] = true;
        for line in &lines {
            let mut id = **line;
            while !std::mem::replace(&mut kept[id.0 as usize], true) {
                id = self.parent(id);
            }
        }
        let count = kept.iter().filter(|&&kept| kept).count();
        let mut names = vec![ROOT; self.nodes.len()];
        let mut fresh: Vec<Node> = Vec::with_capacity(count + GROWTH);
        // A line comes after those that it begins with.
        for (old, node) in self.nodes.iter().enumerate().filter(|&(old, _)| kept[old]) {
            let id = NodeId(fresh.len() as u32);
            names[old] = id;
            let parent = names[node.parent.0 as usize];
            let next_sibling =
                fresh.get_mut(parent.0 as usize).map_or(ROOT, |parent| std::mem::replace(&mut parent.first_child, id));
            fresh.push(Node { parent, first_child: ROOT, next_sibling, ..*node });
        }
        for line in lines {
            *line = names[line.0 as usize];
        }
        (self.nodes, self.many) = (fresh, MANY.max(2 * count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    fn mv(from: Square, to: Square) -> Move {
        Move::Normal { role: Role::Pawn, from, capture: None, to, promotion: None }
    }

    #[test]
    fn equal_lines_are_one_node_and_agreement_is_an_ancestor() {
        let mut lines = Lines::new();
        let e4 = lines.child(ROOT, mv(Square::E2, Square::E4));
        let d4 = lines.child(ROOT, mv(Square::D2, Square::D4));
        let e5 = lines.child(e4, mv(Square::E7, Square::E5));
        let c5 = lines.child(e4, mv(Square::C7, Square::C5));
        assert_eq!(lines.child(e4, mv(Square::E7, Square::E5)), e5);
        assert_eq!(lines.common(e5, c5), e4);
        assert_eq!(lines.common(e5, d4), ROOT);
        assert!(lines.begins_with(c5, e4) && !lines.begins_with(c5, e5));
        assert_eq!(lines.moves(c5).len(), 2);
        assert_eq!(lines.len(), 5);
        let (mut kept, mut begin) = (c5, e4);
        lines.keep(vec![&mut kept, &mut begin]);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines.parent(kept), begin);
        assert_eq!(lines.child(begin, mv(Square::C7, Square::C5)), kept);
        assert_eq!(lines.child(begin, mv(Square::E7, Square::E5)).number(), 3, "it is forgotten");
        assert_eq!(lines.moves_since(kept, begin), [mv(Square::C7, Square::C5)]);
    }
}
