-- campaigns_exist: whether there is a campaign.
-- returns Bool
select exists (select from campaign)
