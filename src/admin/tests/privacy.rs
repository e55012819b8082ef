//! A person who is forgotten while the daemon is at work.

use super::*;

/// Everything that can be read here and may tell of players.
const READ: [&str; 8] = [
    "/hall",
    "/sections/open-a",
    "/sections/open-a/rounds/1",
    "/sections/open-a/results/trf",
    "/sections/open-a/results/csv",
    "/sections/open-a/results/pgn",
    "/history",
    "/backup",
];

impl Site {
    async fn addresses_with(&self, visitor: &Visitor, name: &str) -> Vec<&str> {
        let mut found = Vec::new();
        for path in READ {
            let answer = self.get(visitor, path).await;
            assert_eq!(answer.status, 200, "{path}");
            if answer.body.contains(name) {
                found.push(path);
            }
        }
        found
    }
}

#[tokio::test]
async fn whoever_is_forgotten_is_gone_from_everything_that_people_wrote_too() {
    let (site, operator) = Site::with_round().await;
    let admin = site.log_in(Role::Administrator).await;
    let game = site.first_game(&operator).await;
    let tags = |opening: &str| {
        let tags = json!({ "Annotator": "Jörg Müller", "Opening": opening });
        json!({ "order": "set_tags", "game": game, "tags": tags })
    };
    site.order(&operator, tags("Ruy Lopez")).await;
    let why = "/orders?reason=M%C3%BCller%20asked%20for%20it";
    assert_eq!(site.post(&operator, why, tags("Spanish")).await.status, 200);
    let result = json!({ "order": "set_result", "game": game, "result": "0-1", "reason": "Müller resigns" });
    let told = site.post(&operator, "/orders", result).await.problem(422);
    assert!(told.contains("must not have a name: write White or Black for player 1."), "{told}");
    assert_eq!(site.addresses_with(&admin, "Müller").await.len(), READ.len() - 1, "the name never was there");

    let forgotten = site.order(&admin, json!({ "order": "forget", "player": 1 })).await;
    assert!(forgotten["notes"][0]["text"].as_str().unwrap().contains("Backups and pairing files still hold the name"));
    assert_eq!(site.addresses_with(&admin, "Müller").await, [""; 0]);
    assert!(site.get(&admin, "/sections/open-a").await.body.contains("Anand, V"));
    let history = site.get(&admin, "/history").await.json();
    assert_eq!((&history[0]["by"], &history[0]["reason"]), (&json!("operator"), &Value::Null));
    let number = history[0]["correction"]["number"].clone();
    site.order(&operator, json!({ "order": "undo", "number": number })).await;
    let round = site.get(&admin, "/sections/open-a/rounds/1").await.json();
    assert_eq!(round["round"]["games"][0]["tags"], json!({ "Opening": "Ruy Lopez" }), "an old tag came back");
    assert!(site.get(&operator, "/history").await.body.contains("undone"));
}
