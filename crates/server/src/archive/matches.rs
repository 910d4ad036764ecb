//! The games of a match in the archive: each says which one comes next.

use puabi_core::Record;

use super::{Archive, ArchiveError, KeyHashes, insert};

impl Archive {
    /// Keeps `next`, a new game that follows `record`, and its number in `record`, which is game `id` at `version`: both or
    /// neither.
    pub(crate) async fn follow(
        &self,
        (id, version): (i64, i64),
        record: &Record,
        (next, key_hashes): (&Record, Option<KeyHashes>),
    ) -> Result<i64, ArchiveError> {
        let (mut both, mut record) = (self.pool.begin().await?, record.clone());
        let number = insert(&mut *both, next, key_hashes).await?;
        record.set_next_game(Some(number));
        // The rest of the row stays unchanged: the time when the game ended, and what its review says.
        let update =
            "UPDATE games SET version = version + 1, record = $1 WHERE id = $2 AND version = $3";
        let update = sqlx::query(update).bind(record.to_string()).bind(id).bind(version);
        if update.execute(&mut *both).await?.rows_affected() == 0 {
            drop(both);
            return Err(self.not_updated(id).await);
        }
        both.commit().await?;
        Ok(number)
    }

    /// Forgets the next game of a match if that game was removed, so that the match can go on as if it had not begun.
    pub(super) async fn forget_removed(&self, record: &mut Record) -> Result<(), ArchiveError> {
        let Some(next) = record.next_game() else { return Ok(()) };
        let select = sqlx::query("SELECT 1 FROM games WHERE id = $1").bind(next);
        if select.fetch_optional(&self.pool).await?.is_none() {
            record.set_next_game(None);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use puabi_answers::{Filter, Marks};
    use puabi_core::{Game, RuleSet};

    use super::*;

    #[tokio::test]
    async fn a_game_that_follows_another_is_kept_with_what_the_other_says_of_it_or_not_at_all() {
        let data = tempfile::tempdir().unwrap();
        let archive = Archive::open(data.path()).await.unwrap();
        let record = Record::new(Game::new(RuleSet::FINKEL.compile().unwrap()));
        let id = archive.insert(&record, None).await.unwrap();
        let marks = Marks { light_luck: Some(0.25), ..Marks::default() };
        archive.mark(id, marks).await.unwrap();
        let follow = async |version| archive.follow((id, version), &record, (&record, None)).await;
        assert!(matches!(follow(2).await, Err(ArchiveError::Changed { .. })));
        assert_eq!(archive.list(&Filter::default()).await.unwrap().1, 1);
        let next = follow(1).await.unwrap();
        let found = archive.find(id).await.unwrap();
        assert_eq!((found.version, found.record.next_game()), (2, Some(next)));
        let kept = sqlx::query_scalar("SELECT light_luck FROM games WHERE id = $1").bind(id);
        assert_eq!(kept.fetch_one(&archive.pool).await.ok(), Some(0.25));
        assert_eq!(archive.list(&Filter::default()).await.unwrap().1, 2);
    }
}
