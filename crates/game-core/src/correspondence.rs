//! Matches the moves of a corrected list with those of the list before, so that their times can be kept.
//!
//! Must not know chess or clocks.

/// For each element of `new` the index of its counterpart in `old`. Elements of the longest common subsequence match.
/// Between two of them, elements match in order where as many were inserted as removed: each replaces one.
pub(crate) fn correspondence<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
    let found = longest_common(old, new);
    let mut same = vec![None; new.len()];
    let mut before = (0, 0);
    for (index, place) in found.into_iter().chain([(old.len(), new.len())]) {
        if index - before.0 == place - before.1 {
            for (old, slot) in (before.0..index).zip(&mut same[before.1..place]) {
                *slot = Some(old);
            }
        }
        if let Some(slot) = same.get_mut(place) {
            *slot = Some(index);
        }
        before = (index + 1, place + 1);
    }
    same
}

/// The longest common subsequence, as pairs of indices.
fn longest_common<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    // Length of the longest common subsequence of the elements from each pair of indices on.
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let (right, below) = (common[i * width + j + 1], common[(i + 1) * width + j]);
            let both = common[(i + 1) * width + j + 1];
            common[i * width + j] = if old[i] == new[j] { both + 1 } else { right.max(below) };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if common[(i + 1) * width + j] >= common[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_leaves_what_stands_around_it() {
        let of = |old: &str, new: &str| correspondence(old.as_bytes(), new.as_bytes());
        assert_eq!(of("abcd", "abcd"), [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(of("abcd", "abxd"), [Some(0), Some(1), Some(2), Some(3)], "replaced");
        assert_eq!(of("abcd", "abxycd"), [Some(0), Some(1), None, None, Some(2), Some(3)], "inserted");
        assert_eq!(of("abcd", "ad"), [Some(0), Some(3)], "deleted");
        assert_eq!(of("abcd", "ax"), [Some(0), None], "cut, and something else");
        assert_eq!(of("abcd", "xbcdyz"), [Some(0), Some(1), Some(2), Some(3), None, None], "replaced, and more behind");
        assert_eq!(of("aaaa", "aa"), [Some(0), Some(1)]);
        assert_eq!(of("", "ab"), [None, None]);
        assert_eq!(of("ab", ""), []);
    }
}
