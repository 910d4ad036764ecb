
# Bash takes words apart at colons: `finkel:3` is three. Here they are one again, and what is answered is the part after
# the last colon, which is what bash replaces.
_ur_with_colons() {
    local begun=${COMP_LINE:0:COMP_POINT} words=() at=0 before="" number word
    for number in "${!COMP_WORDS[@]}"; do
        word=${COMP_WORDS[number]}
        if [[ ${#words[@]} -eq 0 || ( $word != :* && $before != *: ) ]] ||
            [[ $number -eq $COMP_CWORD && $begun == *[[:space:]] ]]; then
            words+=("$word")
        else
            words[${#words[@]} - 1]+=$word
        fi
        [[ $number -eq $COMP_CWORD ]] && at=$((${#words[@]} - 1))
        before=$word
    done
    local COMP_WORDS=("${words[@]}") COMP_CWORD=$at
    _clap_complete_ur "$1" "${words[at]}" "$3"
    if [[ $COMP_WORDBREAKS == *:* && ${words[at]} == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${words[at]%:*}:"}")
    fi
}
complete -o nospace -o bashdefault -o nosort -F _ur_with_colons ur 2> /dev/null ||
    complete -o nospace -o bashdefault -F _ur_with_colons ur
