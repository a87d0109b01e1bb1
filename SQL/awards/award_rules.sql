-- award_rules: which rules the awards of all games have.
-- returns AwardRule.Kind
select distinct a.rule from award a
